package preflight

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/images"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Options say what is known beside the object.
type Options struct {
	// Topology is the cluster that the object is for. Without pools it is not
	// known: then only what fails on every cluster is an error.
	Topology topology.Topology `pulumi:"topology,optional"`

	// KubernetesVersion is the API server's version, "1.36" for example. The
	// default is the topology's. When neither is known, what only some versions
	// refuse is a warning.
	KubernetesVersion string `pulumi:"kubernetesVersion,optional"`

	// Platform is what the pods are for, where the caller knows it better than
	// the object says. The default is what the object says: os.name, node
	// selector, RuntimeClass, images.
	Platform platform.Platform `pulumi:"platform,optional"`

	// OS is the operating system that the pods are for, where the caller knows no
	// Platform: that of [Options.Platform] if there is one.
	OS platform.OS `pulumi:"os,optional"`

	// Matching is how well an image's Windows release must match its host's. The
	// default is the topology's, and [platform.Strict] where that says nothing.
	Matching platform.Matching `pulumi:"matching,optional"`

	// Images are what registries have said about images, see [images.Find]. The default is
	// nothing: then the name of an image says what it is for.
	Images *images.Lock `pulumi:"-"`
}

// Validate returns what is wrong with the options, with paths below path (nil for
// the root).
func (o Options) Validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if o.Topology.Given() {
		errs = o.Topology.Validate(path.Child("topology"))
	}
	at := path.Child("kubernetesVersion")
	if given, ok := parseMinor(o.KubernetesVersion); o.KubernetesVersion != "" && !ok {
		errs = append(errs, field.Invalid(at, o.KubernetesVersion, "not a Kubernetes version: write 1.36 or 1.36.3"))
	} else if cluster, known := parseMinor(o.Topology.KubernetesVersion); ok && known && given != cluster {
		errs = append(errs, field.Invalid(at, o.KubernetesVersion,
			"the topology has "+o.Topology.KubernetesVersion+": give one of the two"))
	}
	at = path.Child("matching")
	errs = append(errs, topology.ValidateMatching(o.Matching, at)...)
	if o.Matching != "" && o.Topology.Matching != "" && o.Matching != o.Topology.Matching {
		errs = append(errs, field.Invalid(at, string(o.Matching),
			"the topology has "+string(o.Topology.Matching)+": give one of the two"))
	}
	return errs
}

// matching is that of the nodes.
func (o Options) matching() platform.Matching { return cmp.Or(o.Matching, o.Topology.Matching) }

// minor is the minor version of the API server, 0 when it is not known.
func (o Options) minor() int {
	m, _ := parseMinor(cmp.Or(o.KubernetesVersion, o.Topology.KubernetesVersion))
	return m
}
