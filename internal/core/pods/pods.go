package pods

import (
	"slices"
	"strings"
	"sync"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Pods are the pods of one object: a Pod itself, or the template of a workload.
type Pods struct {
	// Object is the whole object, nil for a spec without an object.
	Object map[string]any
	// Kind is the kind of the object, "" for a spec without an object.
	Kind string
	// Prefix is the path of the pod in the object, with a period at its end:
	// "spec.template.", or "" for a Pod.
	Prefix   string
	Metadata map[string]any
	Spec     map[string]any
	Security map[string]any // spec.securityContext
	Windows  map[string]any // spec.securityContext.windowsOptions
	// Containers are the containers of all three lists, in the order in which they start.
	Containers []Container
	// hostProcess is what the pods and their containers say about host process, once [Pods.readHostProcess] has read it.
	hostProcess hostProcess
	// workflow has the fields that the pods inherit from an Argo Workflow, nil for other kinds.
	workflow *workflowFields
	// at returns the path of a field of the spec in an object that has the fields under other names
	// or in several places, nil for other objects.
	at func(parts []any) string
}

// Container is a container of any of a pod's lists.
type Container struct {
	List     string // "containers", "initContainers" or "ephemeralContainers"
	Index    int
	Spec     map[string]any
	Security map[string]any // securityContext
	Windows  map[string]any // securityContext.windowsOptions
	// at is the whole path if the container is not in a list of the spec, otherwise "".
	at string
	// imageAt is the whole path of an image that is not in the container, otherwise "".
	imageAt string
}

var containerLists = [...]string{"initContainers", "containers", "ephemeralContainers"}

// Read finds the pods of an object. It returns false if the object has none, or if their spec
// is not known.
func Read(object map[string]any) (*Pods, bool) { return read(object, KindOf(object)) }

func read(object map[string]any, kind string) (*Pods, bool) {
	keys, ok := Template(kind)
	if !ok {
		return nil, false
	}
	pod := object
	for _, key := range keys {
		pod = tree.Map(pod[key])
	}
	p := OfSpec(tree.Map(pod["spec"]))
	if p.Spec == nil {
		return nil, false
	}
	p.Object, p.Kind, p.Metadata = object, kind, tree.Map(pod["metadata"])
	if len(keys) > 0 {
		p.Prefix = strings.Join(keys, ".") + "."
	}
	if kind == RunnerDeployment {
		p.readRunner()
	}
	return p, true
}

// OfSpec returns the pods of a spec without an object, for specs in custom kinds.
func OfSpec(spec map[string]any) *Pods {
	p := &Pods{Spec: spec, Security: tree.Map(spec["securityContext"])}
	p.Windows = tree.Map(p.Security["windowsOptions"])
	var lists [len(containerLists)][]any
	count := 0
	for i, name := range containerLists {
		lists[i] = tree.List(spec[name])
		count += len(lists[i])
	}
	p.Containers = make([]Container, 0, count)
	for l, list := range containerLists {
		for i, v := range lists[l] {
			spec := tree.Map(v)
			if spec == nil {
				continue
			}
			p.Containers = append(p.Containers, newContainer(list, i, spec))
		}
	}
	return p
}

func newContainer(list string, index int, spec map[string]any) Container {
	security := tree.Map(spec["securityContext"])
	windows := tree.Map(security["windowsOptions"])
	return Container{List: list, Index: index, Spec: spec, Security: security, Windows: windows}
}

// KnowsMetadata reports whether the labels and annotations of the pods are known.
func (p *Pods) KnowsMetadata() bool {
	keys, _ := Template(p.Kind)
	return !tree.IsUnknown(tree.At(p.Object, append(keys, "metadata")...)) &&
		!tree.IsUnknown(p.Metadata["labels"]) && !tree.IsUnknown(p.Metadata["annotations"])
}

// SpecPath returns the keys of the pods' spec in the object. For a template of an Argo Workflow, it
// returns the keys of the workflow's spec, whose fields apply to all templates.
func (p *Pods) SpecPath() []string {
	if p.workflow != nil {
		return slices.Clone(p.workflow.spec)
	}
	keys, _ := Template(p.Kind)
	return append(keys, "spec")
}

// IsSet reports whether a field is set. Like the API server, it treats null as not set.
func IsSet(m map[string]any, key string) bool { return m[key] != nil }

// hostProcess is what pods and their containers say about host process.
type hostProcess struct {
	once        sync.Once
	on, unknown bool
}

// HostProcess reports whether any container of the pods is a host-process container.
func (p *Pods) HostProcess() bool {
	p.hostProcess.once.Do(p.readHostProcess)
	return p.hostProcess.on
}

// HostProcessUnknown reports whether the pods may have host-process containers in a value that
// is not known yet.
func (p *Pods) HostProcessUnknown() bool {
	p.hostProcess.once.Do(p.readHostProcess)
	return p.hostProcess.unknown
}

// readHostProcess reads all containers. Checks of each container ask for the result.
func (p *Pods) readHostProcess() {
	read := func(owner, security, windows map[string]any) {
		option := windows["hostProcess"]
		on, _ := tree.Bool(option)
		p.hostProcess.on = p.hostProcess.on || on
		p.hostProcess.unknown = p.hostProcess.unknown || tree.IsUnknown(option) || windows == nil &&
			(tree.IsUnknown(owner["securityContext"]) || tree.IsUnknown(security["windowsOptions"]))
	}
	read(p.Spec, p.Security, p.Windows)
	for i := range p.Containers {
		read(p.Containers[i].Spec, p.Containers[i].Security, p.Containers[i].Windows)
	}
}

// Object is an object whose pods have been read.
type Object struct {
	// Tree is the object itself.
	Tree map[string]any
	// Kind is the kind that [KindOf] returns.
	Kind string
	// Pods are the pods of the object, nil if it has none, or several templates.
	Pods *Pods
	// Templates are the pods of each template of an Argo Workflow that has containers, or of each
	// runner in a configuration of GitLab Runner.
	Templates []*Pods
	// Stated is true if the program states the platform of the pods: see [StatesPlatform].
	Stated bool
}

// ReadObject reads the pods of an object, once for all checks.
func ReadObject(object map[string]any) *Object {
	o := &Object{Tree: object, Kind: KindOf(object)}
	o.Pods, _ = read(object, o.Kind)
	if o.Templates = readWorkflow(object, o.Kind); o.Kind == "" {
		o.Templates = readBuildPods(object)
	}
	return o
}

// All returns the pods of the object: its Pods, or the pods of each template.
func (o *Object) All() []*Pods {
	if o.Pods != nil {
		return []*Pods{o.Pods}
	}
	return o.Templates
}
