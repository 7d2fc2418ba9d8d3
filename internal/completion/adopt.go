package completion

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Options say what is known beside an object that is to be adopted.
type Options struct {
	// Topology is the cluster's, with its defaults.
	Topology topology.Topology
	// AssumeLinux takes pods of which nothing is known for Linux, unless something
	// hints at Windows, they name a RuntimeClass, or they could land on no Linux pool.
	AssumeLinux bool
	// RuntimeClasses names the platform's RuntimeClass where node selector and
	// tolerations can come from it. A DaemonSet's cannot.
	RuntimeClasses bool
	// Classes are the RuntimeClass objects that are known.
	Classes []map[string]any
}

// Adopter adopts the objects of manifests.
type Adopter struct {
	options Options
	checker *preflight.Checker
}

// NewAdopter makes one; it may be used by several goroutines at once.
func NewAdopter(o Options) *Adopter {
	return &Adopter{o, preflight.New(preflight.Options{Topology: o.Topology})}
}

// Source says where the operating system of pods is known from.
type Source string

// The sources, the first one that says something counts.
const (
	ByOSName       Source = "os.name"
	BySelection    Source = "the nodes that the pods select"
	ByRuntimeClass Source = "the RuntimeClass"
	ByHostProcess  Source = "host process"
	ByAnnotation   Source = "the annotation"
	ByAnswer       Source = "the caller"
	ByImages       Source = "the images"
	ByAssumption   Source = "the assumption"
	// ByForm contradicts an answer only: there is nothing that could be added to.
	ByForm Source = "a node selector or tolerations of a wrong type"
	// ByNobody is where nothing says it, or where images contradict each other.
	ByNobody Source = ""
)

// Adoption is what is to be done with the pods of an object of a manifest.
type Adoption struct {
	Completion
	// HasPods says that there are pods to look at.
	HasPods bool
	// OS is what the pods are for; "" where that is not known.
	OS platform.OS
	// Release is of Windows pods, where it is known.
	Release platform.Platform
	Source  Source
	// Unselected is the release of the images of host-process pods that are led to no
	// release: it does not matter to them, but a node of another release may not pull
	// an image index that names it.
	Unselected platform.Platform
	// Contradictory says that the images contradict each other.
	Contradictory bool
	// NotLinux says why pods of which nothing is known are not taken for Linux where
	// that is wanted, "Windows is mentioned in nodeSelector" for example.
	NotLinux string
	// Misannotated says that the annotation is wrong, as preflight reports; then
	// nothing is done.
	Misannotated bool
	// Contradicts is the source that contradicts the answer of the caller, or keeps it
	// from being followed: pods that name their node, an annotation that is wrong.
	Contradicts Source
	// Foreign are the paths of pods in an object of a kind that is not Kubernetes' own:
	// see [Foreign]. HasPods is false then.
	Foreign []string
}

// Adopt decides what the pods of an object need so that they land on the nodes of
// their operating system, and on no others, whatever taints these have. Other than
// [Complete] it also completes pods that name an operating system without selecting
// its nodes, or that select them and do not tolerate their taints. The answer is
// what the caller knows about the pods, "" for nothing.
func (by *Adopter) Adopt(object map[string]any, answer platform.Platform) Adoption {
	kind, _ := tree.Text(object["kind"])
	path, ok := preflight.PodPath(kind)
	if _, known := by.checker.Landing(object); !ok || !known {
		return Adoption{Foreign: Foreign(object)} // no pods, or a kind of another group
	}
	spec := tree.Map(tree.At(object, append(path, "spec")...))
	a := adopting{
		completer{append(path, "spec"), by.options.Topology},
		by, object, kind, spec, answer,
		by.checker.ReleaseMatters(object, by.options.Classes...) == platform.No,
	}
	if !wellFormed(spec) {
		out := Adoption{HasPods: true}
		if !slices.ContainsFunc(slices.Collect(maps.Values(spec)), tree.IsUnknown) {
			out.Contradicts = a.overruled(ByForm) // what is not known yet may still be right
		}
		return out
	}
	return a.adopt()
}

// adopting is one object on its way.
type adopting struct {
	completer
	*Adopter
	object map[string]any
	kind   string
	spec   map[string]any
	given  platform.Platform
	// anyRelease says that the Windows release of the images does not matter.
	anyRelease bool
}

// said is what one source says.
type said struct {
	os      platform.OS
	release platform.Platform
	source  Source
}

func (s said) contradicts(other said) bool {
	return s.os != other.os || s.release != "" && other.release != "" && s.release != other.release
}

func (a adopting) adopt() Adoption {
	selected := a.selected()
	class := a.class()
	sayings := []said{a.osName(), selected, class, a.hostProcess(), a.annotation(), a.answer(), a.images()}
	sayings = slices.DeleteFunc(sayings, func(s said) bool { return s.os == "" })
	out := Adoption{HasPods: true}
	if a.spec["nodeName"] != nil {
		out.Source = BySelection // the node is known, whatever it is
		out.Contradicts = a.overruled(BySelection)
		return out
	}
	if _, _, valid := preflight.Annotated(a.object); !valid {
		out.Outcome, out.Misannotated = Unsaid, true
		out.Contradicts = a.overruled(ByAnnotation)
		return out
	}
	if len(sayings) == 0 && preflight.NamesSeveralOS(a.object) {
		out.Source = BySelection // the pods are for each of them
		return out
	}
	if len(sayings) == 0 {
		return a.unsaid(out)
	}
	first := sayings[0]
	for _, s := range sayings[1:] {
		if s.os == first.os {
			first.release = cmp.Or(first.release, s.release)
		}
	}
	out.OS, out.Source, out.Release = first.os, first.source, first.release
	for _, s := range sayings {
		if given := a.answer(); given.os != "" && s.source != ByImages && s.contradicts(given) {
			out.Contradicts = s.source
			return out
		}
	}
	if slices.ContainsFunc(sayings, func(s said) bool { return s.source != ByImages && s.os != first.os }) {
		return out // preflight says so
	}
	if first.os == platform.LinuxOS {
		// The DaemonSet controller does not look at RuntimeClasses.
		if selected.os == "" && (class.os == "" || a.kind == "DaemonSet") {
			out.Completion = a.linux(ForLinux)
		}
		out.Platform = platform.Linux
		return out
	}
	return a.forWindows(out, selected, class)
}

// overruled is what makes the answer useless, if there is one.
func (a adopting) overruled(by Source) Source {
	if a.given == "" {
		return ByNobody
	}
	return by
}

// unsaid takes pods of which nothing is known for Linux, if that is wanted.
func (a adopting) unsaid(out Adoption) Adoption {
	out.Outcome = Unsaid
	image, _ := imagesOf(a.spec)
	out.Contradictory = image.OS != ""
	if !a.options.AssumeLinux || out.Contradictory {
		return out
	}
	taken := a.linux(TakenForLinux)
	if out.NotLinux = a.notLinux(a.object, a.spec, taken); out.NotLinux == "" {
		out.Completion, out.OS, out.Source = taken, platform.LinuxOS, ByAssumption
	}
	return out
}

// forWindows adds what the pods do not have already.
func (a adopting) forWindows(out Adoption, selected, class said) Adoption {
	if class.os != "" && a.kind != "DaemonSet" {
		out.Platform = class.release
		return a.completed(out, nil) // the class brings all else
	}
	windows := slices.DeleteFunc(a.topology.Platforms(), func(p platform.Platform) bool { return !p.IsWindows() })
	release := out.Release
	if release == "" && len(windows) == 1 && !a.anyRelease && selected.os == "" && a.kind != "DaemonSet" {
		release = windows[0]
	}
	if len(a.topology.PoolsOf(release)) == 0 {
		// Preflight says that no pool runs the images. A selector for the release would
		// stay behind when they are changed.
		release = ""
	}
	var edits []mutate.Edit
	name := topology.RuntimeClassName(release)
	if a.options.RuntimeClasses && name != "" && a.kind != "DaemonSet" && selected.os == "" && a.spec["runtimeClassName"] == nil {
		edits = []mutate.Edit{{Path: a.at("runtimeClassName"), Value: name}}
	} else {
		edits = a.bySelector(release, windows, selected)
	}
	out.Release, out.Platform = cmp.Or(release, out.Release), release
	if a.anyRelease && out.Release == "" {
		out.Unselected = a.unselected(windows)
	}
	return a.completed(out, edits)
}

// completed has the edits of Windows pods, and os.name if they lack it.
func (a adopting) completed(out Adoption, edits []mutate.Edit) Adoption {
	if a.spec["os"] == nil {
		edits = a.completer.osName(a.object, edits)
	}
	if len(edits) > 0 {
		out.Outcome, out.Edits = ForWindows, edits
	}
	return out
}

// unselected is the release of the images, if there are nodes of another one.
func (a adopting) unselected(windows []platform.Platform) platform.Platform {
	image, said := imagesOf(a.spec)
	if !said || !slices.ContainsFunc(windows, func(p platform.Platform) bool { return p != image.Release }) {
		return ""
	}
	return image.Release
}

// bySelector is the part of the node selector that is missing, and the tolerations.
func (a adopting) bySelector(release platform.Platform, windows []platform.Platform, selected said) []mutate.Edit {
	selector := map[string]string{}
	switch {
	case release != "" && selected.release == "":
		selector = topology.NodeSelector(release)
	case release == "" && selected.os == "":
		selector = map[string]string{corev1.LabelOSStable: string(platform.WindowsOS)}
	}
	have := tree.Map(a.spec["nodeSelector"])
	maps.DeleteFunc(selector, func(label, _ string) bool { return have[label] != nil })
	tolerated := windows
	if release != "" {
		tolerated = []platform.Platform{release}
	}
	return append(a.selector(selector), a.tolerations(tolerated, a.tolerates)...)
}

// tolerates says whether the pods tolerate what a toleration is for.
func (a adopting) tolerates(needed corev1.Toleration) bool {
	return slices.ContainsFunc(tree.List(a.spec["tolerations"]), func(v any) bool {
		m := tree.Map(v)
		text := func(key string) string { s, _ := tree.Text(m[key]); return s }
		if m["tolerationSeconds"] != nil && text("effect") != string(corev1.TaintEffectNoSchedule) {
			return false // for some time only
		}
		if effect := text("effect"); effect != "" && effect != string(needed.Effect) {
			return false
		}
		switch corev1.TolerationOperator(text("operator")) {
		case corev1.TolerationOpExists:
			return text("key") == "" || text("key") == needed.Key
		case corev1.TolerationOpEqual, "":
			return text("key") == needed.Key && text("value") == needed.Value
		default:
			return false
		}
	})
}

func (a adopting) osName() said {
	name, _ := tree.Text(tree.At(a.spec, "os", "name"))
	switch os := platform.OS(name); os {
	case platform.LinuxOS, platform.WindowsOS:
		return said{os: os, source: ByOSName}
	default:
		return said{}
	}
}

// selected is what the nodes have that the pods select: by a label of the operating
// system, or because all pools that they select have the same.
func (a adopting) selected() said {
	alone := map[string]any{"tolerations": []any{map[string]any{"operator": string(corev1.TolerationOpExists)}}}
	for _, key := range []string{"nodeSelector", "affinity"} {
		if v := a.spec[key]; v != nil {
			alone[key] = v
		}
	}
	if len(alone) == 1 {
		return said{}
	}
	s := said{source: BySelection}
	pod := map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": alone}
	landing, _ := a.checker.Landing(pod)
	pools := slices.Concat(landing.Pools, landing.Perhaps)
	if os, ok := preflight.NamedOS(pod); ok {
		s.os = os
	} else if p, ok := a.poolOf(tree.Map(a.spec["nodeSelector"])); ok {
		s.os = p.Platform.OS()
		pools = []topology.Pool{p}
	} else if len(pools) > 0 && len(pools) < len(a.topology.Pools) {
		s.os = pools[0].Platform.OS()
		if slices.ContainsFunc(pools, func(p topology.Pool) bool { return p.Platform.OS() != s.os }) {
			return said{}
		}
	}
	if s.os != platform.WindowsOS {
		return s
	}
	if build, ok := tree.Text(tree.At(a.spec, "nodeSelector", topology.LabelWindowsBuild)); ok {
		if p, ok := platform.ByBuild(build); ok {
			s.release = p
		}
	} else if len(a.topology.PoolsOf(platform.Linux))+len(pools) < len(a.topology.Pools) && len(pools) > 0 &&
		!slices.ContainsFunc(pools, func(p topology.Pool) bool { return p.Platform != pools[0].Platform }) {
		s.release = pools[0].Platform
	}
	return s
}

// class is what the RuntimeClass says: one of the objects that are known, or the one
// that components/runtimeclass makes for a platform of the topology.
func (a adopting) class() said {
	name, ok := tree.Text(a.spec["runtimeClassName"])
	if !ok || name == "" {
		return said{}
	}
	for _, class := range a.options.Classes {
		if own, _ := tree.Text(tree.At(class, "metadata", "name")); own != name {
			continue
		}
		selector := tree.At(class, "scheduling", "nodeSelector")
		pod := map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{"nodeSelector": selector}}
		os, _ := preflight.NamedOS(pod)
		s := said{os: os, source: ByRuntimeClass}
		if build, ok := tree.Text(tree.At(selector, topology.LabelWindowsBuild)); ok {
			s.release, _ = platform.ByBuild(build)
		}
		return s
	}
	if p := platform.Platform(name); p.IsWindows() && len(a.topology.PoolsOf(p)) > 0 {
		return said{platform.WindowsOS, p, ByRuntimeClass}
	}
	return said{}
}

func (a adopting) hostProcess() said {
	spec := map[string]any{}
	for _, key := range []string{"securityContext", "initContainers", "containers"} {
		if v := a.spec[key]; v != nil {
			spec[key] = v
		}
	}
	if os, ok := preflight.NamedOS(map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": spec}); ok {
		return said{os: os, source: ByHostProcess}
	}
	return said{}
}

func (a adopting) annotation() said {
	os, release, _ := preflight.Annotated(a.object)
	return said{os, release, ByAnnotation}
}

func (a adopting) answer() said {
	s := said{os: a.given.OS(), source: ByAnswer}
	if a.given.IsWindows() {
		s.release = a.given
	}
	return s
}

func (a adopting) images() said {
	image, ok := imagesOf(a.spec)
	if !ok {
		return said{}
	}
	if a.anyRelease {
		image.Release = ""
	}
	return said{image.OS, image.Release, ByImages}
}
