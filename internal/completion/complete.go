package completion

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Completion is what is to be done with the pods of an object.
type Completion struct {
	// Outcome says how the pods were taken.
	Outcome Outcome
	// Platform is what a completed pod is for; of Windows pods "" when the images
	// do not tell the release and the topology has several.
	Platform platform.Platform
	// Edits add what is missing. They replace nothing.
	Edits []mutate.Edit
}

// Outcome says how pods were taken.
type Outcome int

const (
	// Untouched pods need nothing: they name an operating system themselves, or
	// may do so in a value that is not known yet, or there are none. Windows pods have
	// os.name besides.
	Untouched Outcome = iota
	// ForWindows pods have images for Windows.
	ForWindows
	// ForLinux pods have images for Linux.
	ForLinux
	// TakenForLinux pods have images that say nothing, and were taken for Linux as
	// the caller wanted.
	TakenForLinux
	// Unsaid pods have images that say nothing, or contradict each other, and stay
	// as they are.
	Unsaid
)

// Completes says whether pods with the outcome are completed.
func (o Outcome) Completes() bool {
	return o == ForWindows || o == ForLinux || o == TakenForLinux
}

// Complete decides what the pods of an object need on a topology that has its
// defaults. With assumeLinux, pods whose images say nothing are taken for Linux, unless
// something hints at Windows, or they could land on no Linux pool then.
func Complete(object map[string]any, t topology.Topology, assumeLinux bool) Completion {
	kind, _ := tree.Text(object["kind"])
	path, ok := preflight.PodPath(kind)
	if !ok {
		return Completion{}
	}
	path = append(path, "spec")
	spec := tree.Map(tree.At(object, path...))
	c := completer{path, t}
	if spec == nil || !wellFormed(spec) {
		return Completion{}
	}
	if c.names(object, spec) {
		return c.named(object, spec)
	}
	switch image, said := imagesOf(spec); {
	case said && image.OS == platform.WindowsOS:
		completion := c.windows(image.Release)
		completion.Edits = c.osName(object, completion.Edits)
		return completion
	case said:
		return c.linux(ForLinux)
	case assumeLinux && image.OS == "":
		if taken := c.linux(TakenForLinux); c.notLinux(object, spec, taken) == "" {
			return taken
		}
	}
	return Completion{Outcome: Unsaid}
}

// named adds os.name to pods that name Windows elsewhere. What else they need is theirs.
func (c completer) named(object, spec map[string]any) Completion {
	if os, _ := preflight.NamedOS(object); os != platform.WindowsOS || spec["os"] != nil {
		return Completion{}
	}
	edits := c.osName(object, nil)
	if len(edits) == 0 {
		return Completion{}
	}
	return Completion{Outcome: ForWindows, Edits: edits}
}

// wellFormed says whether there is something to add to: what is not known yet, or
// of another type than the API server takes, is left alone.
func wellFormed(spec map[string]any) bool {
	selector, tolerations := spec["nodeSelector"], spec["tolerations"]
	return (selector == nil || tree.Map(selector) != nil) && (tolerations == nil || tree.List(tolerations) != nil) &&
		!tree.IsUnknown(spec["affinity"]) && !tree.IsUnknown(spec["securityContext"])
}

// names says whether pods name an operating system, anywhere, or a node or pool
// that has one.
func (c completer) names(object, spec map[string]any) bool {
	for _, key := range []string{"os", "runtimeClassName", "nodeName"} {
		if spec[key] != nil {
			return true
		}
	}
	if _, ok := c.poolOf(tree.Map(spec["nodeSelector"])); ok || windowsOptions(spec) != "" {
		return true
	}
	_, named := preflight.NamedOS(object)
	return named
}

// windowsOptions is where pods or containers have options for Windows, "" if none has.
func windowsOptions(spec map[string]any) string {
	const options = "securityContext.windowsOptions"
	if tree.At(spec, "securityContext", "windowsOptions") != nil {
		return options
	}
	for place, container := range Containers(spec) {
		if tree.At(container, "securityContext", "windowsOptions") != nil {
			return place + "." + options
		}
	}
	return ""
}

// poolLabels are labels that clouds give the nodes of a pool, with its name:
// https://learn.microsoft.com/azure/aks/use-labels#reserved-system-labels.
var poolLabels = []string{"agentpool", "kubernetes.azure.com/agentpool"}

// poolOf is the pool that a node selector names.
func (c completer) poolOf(selector map[string]any) (topology.Pool, bool) {
	for _, label := range poolLabels {
		name, ok := tree.Text(selector[label])
		i := slices.IndexFunc(c.topology.Pools, func(p topology.Pool) bool { return p.Name == name })
		if ok && i >= 0 {
			return c.topology.Pools[i], true
		}
	}
	return topology.Pool{}, false
}

// notLinux says why pods of which nothing is known are not to be taken for Linux, "" if
// they may be.
func (c completer) notLinux(object, spec map[string]any, taken Completion) string {
	if hint := windowsHint(spec); hint != "" {
		return hint
	}
	if class := spec["runtimeClassName"]; class != nil {
		name, _ := class.(string) // a secret one is not shown
		return strings.TrimSpace("the RuntimeClass "+name) + " may be one for Windows"
	}
	if !c.fitLinux(mutate.Apply(object, taken.Edits)) {
		return "no Linux pool takes them"
	}
	return ""
}

// fitLinux says whether pods can land on a Linux pool.
func (c completer) fitLinux(object map[string]any) bool {
	landing, ok := preflight.New(preflight.Options{Topology: c.topology}).Landing(object)
	return !ok || slices.ContainsFunc(slices.Concat(landing.Pools, landing.Perhaps), func(p topology.Pool) bool { return p.Platform == platform.Linux })
}

// imagesOf is what the images say together: all that say something agree, as far
// as the release. When they contradict each other nothing is said, and the OS is
// not "". Nor is anything said by words of tags alone that mean Linux: images for
// Windows have such tags too.
func imagesOf(spec map[string]any) (together platform.Image, said bool) {
	for _, c := range Containers(spec) {
		ref, _ := tree.Text(c["image"])
		image := platform.FromImage(ref)
		switch {
		case image.OS == "":
			continue
		case together.OS != "" && image.OS != together.OS:
			return image, false
		case together.Release != "" && image.Release != "" && image.Release != together.Release:
			return image, false
		}
		together.OS = image.OS
		if image.Release != "" {
			together.Release = image.Release
		}
		said = said || !image.ByTag || image.OS != platform.LinuxOS
	}
	if !said {
		return platform.Image{}, false
	}
	return together, true
}

type completer struct {
	path     []string // of the pods' spec
	topology topology.Topology
}

func (c completer) linux(outcome Outcome) Completion {
	return Completion{Outcome: outcome, Platform: platform.Linux, Edits: c.selector(topology.NodeSelector(platform.Linux))}
}

// windows needs the release: that of the images, or the only one of the topology.
// Without it, the pods are led to Windows, and to no release of it.
func (c completer) windows(release platform.Platform) Completion {
	var all []platform.Platform
	for _, p := range c.topology.Platforms() {
		if p.IsWindows() {
			all = append(all, p)
		}
	}
	if release == "" && len(all) == 1 {
		release = all[0]
	}
	selector := map[string]string{corev1.LabelOSStable: string(platform.WindowsOS)}
	tolerated := all
	if release != "" {
		selector, tolerated = topology.NodeSelector(release), []platform.Platform{release}
	}
	nothing := func(corev1.Toleration) bool { return false }
	edits := append(c.selector(selector), c.tolerations(tolerated, nothing)...)
	return Completion{Outcome: ForWindows, Platform: release, Edits: edits}
}

// osName adds os.name to Windows pods, unless the API server refuses another field of
// theirs then.
func (c completer) osName(object map[string]any, edits []mutate.Edit) []mutate.Edit {
	named := append(slices.Clip(edits), mutate.Edit{Path: c.at("os", "name"), Value: string(platform.WindowsOS)})
	if preflight.Refused(mutate.Apply(object, named)) {
		return edits
	}
	return named
}

// tolerations are those for the pools of platforms, but for those that pods have.
func (c completer) tolerations(platforms []platform.Platform, have func(corev1.Toleration) bool) []mutate.Edit {
	var needed []any
	var added []corev1.Toleration
	for _, p := range platforms {
		for _, t := range c.topology.Tolerations(p) {
			if !slices.Contains(added, t) && !have(t) {
				added = append(added, t)
				needed = append(needed, plain(t))
			}
		}
	}
	if len(needed) == 0 {
		return nil
	}
	return []mutate.Edit{{Path: c.at("tolerations"), Value: needed}}
}

func (c completer) selector(selector map[string]string) []mutate.Edit {
	var edits []mutate.Edit
	for _, label := range slices.Sorted(maps.Keys(selector)) {
		edits = append(edits, mutate.Edit{Path: c.at("nodeSelector", label), Value: selector[label]})
	}
	return edits
}

func (c completer) at(keys ...string) []string {
	return slices.Concat(c.path, keys)
}

func plain(t corev1.Toleration) map[string]any {
	m := map[string]any{"key": t.Key, "operator": string(t.Operator), "effect": string(t.Effect)}
	if t.Value != "" {
		m["value"] = t.Value
	}
	return m
}
