package collection

import (
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Labels and annotations that the webhooks of service meshes read.
const (
	// IstioInject is a label of pods, formerly an annotation.
	IstioInject = "sidecar.istio.io/inject"
	// IstioInjection and IstioRevision are labels of namespaces.
	IstioInjection = "istio-injection"
	IstioRevision  = "istio.io/rev"
	// LinkerdInject and LinkerdImage are annotations of pods, and the first one of namespaces too.
	LinkerdInject = "linkerd.io/inject"
	LinkerdImage  = "config.linkerd.io/proxy-image"
)

// Namespace is a Namespace among the objects.
type Namespace struct {
	// Standard is the Pod Security Standard that it enforces.
	Standard Standard
	// Metadata is nil if two have the same name.
	Metadata map[string]any
}

// Standard is a Pod Security Standard. The zero value forbids nothing.
type Standard struct {
	Level string
	// Exempts means that the Linux-only requirements do not apply to pods with os.name windows, as in version 1.25 of
	// the standard and newer.
	Exempts bool
}

const (
	labelEnforce        = "pod-security.kubernetes.io/enforce"
	labelEnforceVersion = "pod-security.kubernetes.io/enforce-version"
)

func readStandard(namespace map[string]any) Standard {
	labels := tree.Map(tree.Map(namespace["metadata"])["labels"])
	level, _ := tree.Text(labels[labelEnforce])
	version, ok := tree.Text(labels[labelEnforceVersion])
	parsed, numbered := kubeversion.Parse(version)
	return Standard{
		Level: level,
		Exempts: labels[labelEnforceVersion] == nil ||
			ok && (version == "latest" || numbered && parsed.Major == 1 && parsed.Minor >= 25),
	}
}

// Demands reports whether the standard forbids anything.
func (s Standard) Demands() bool { return s.Level == "baseline" || s.Level == "restricted" }

// demands reports whether the namespace, which may be nil, requires anything of Windows pods.
func (n *Namespace) demands() bool {
	if n == nil {
		return false
	}
	labels, annotations := tree.Map(n.Metadata["labels"]), tree.Map(n.Metadata["annotations"])
	return n.Standard.Demands() || labels[IstioInjection] != nil || labels[IstioRevision] != nil ||
		annotations[LinkerdInject] != nil
}

func (c *Collection) addNamespace(object map[string]any) {
	metadata := tree.Map(object["metadata"])
	name, ok := tree.Text(metadata["name"])
	if !ok {
		return
	}
	read := &Namespace{Standard: readStandard(object), Metadata: metadata}
	if other := c.namespaces[name]; other != nil {
		read.Metadata = nil // it is unknown which of the two applies
		if other.Standard != read.Standard {
			read.Standard = Standard{}
		}
	}
	c.namespaces[name] = read
}

// Namespace returns the namespace of the pods, nil if it is not among the objects or not known.
func (p *Pods) Namespace() *Namespace {
	if p.OfRunnerConfig() {
		return nil // the namespace is in the configuration
	}
	name, ok := tree.Text(tree.At(p.Object, "metadata", "namespace"))
	if !ok {
		return nil
	}
	return p.others.namespaces[name]
}
