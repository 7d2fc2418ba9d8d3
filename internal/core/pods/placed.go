package pods

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// PlacedAnnotation is the mark of an object whose pods mixedkube has placed: it lists the fields of the pods that
// belong to mixedkube. They follow the topology: each time, they are taken back and decided again.
const PlacedAnnotation = "mixedkube.dev/placed"

// Placed is what a [PlacedAnnotation] says, for example
//
//	release=windows-2022 nodeSelector=kubernetes.io/os builds=10.0.20348,10.0.26100 tolerations=os=windows:NoSchedule os=windows
type Placed struct {
	// Release is the release that the images were for, "" if it did not matter.
	Release platform.Platform
	// Labels are keys of the node selector.
	Labels []string
	// Taints are the tolerated taints, as topology.FormatTaint writes them.
	Taints []string
	// Builds are the values of an expression for the Windows build in the required node affinity.
	Builds []string
	// Class is the name of a RuntimeClass.
	Class string
	// OS is os.name.
	OS string
	// Containers are the maps and lists that existed before, with nothing in them: they stay without the fields.
	// They are paths in the pods' spec, or in the object if they begin with metadata.
	Containers []string
}

// containers are the maps and lists that mixedkube adds to.
var containers = []string{
	"metadata", "metadata.annotations", "nodeSelector", "tolerations", "os", "affinity", "affinity.nodeAffinity",
	"affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
	"affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
}

// EmptyAbove returns the map or list of [Placed.Containers] that is empty in an object, or null, and to which a value
// is added: its path is a part of the path of the value. It returns "" if there is none. The spec is the path of the
// pods' spec.
func EmptyAbove(object map[string]any, spec, path []string) string {
	at := any(object)
	for i, key := range path {
		m := tree.Map(at)
		value, exists := m[key]
		if !exists {
			return ""
		}
		if tree.Empty(value) {
			keys := path[:i+1]
			if len(keys) > len(spec) && slices.Equal(keys[:len(spec)], spec) {
				keys = keys[len(spec):]
			}
			if name := strings.Join(keys, "."); slices.Contains(containers, name) {
				return name
			}
			return ""
		}
		at = value
	}
	return ""
}

// PathOf returns the path of one of [Placed.Containers] in the object.
func PathOf(container string, spec []string) []string {
	keys := strings.Split(container, ".")
	if keys[0] == "metadata" {
		return keys
	}
	return slices.Concat(spec, keys)
}

// Empty reports whether no field belongs to mixedkube.
func (p Placed) Empty() bool {
	return len(p.Labels) == 0 && len(p.Taints) == 0 && len(p.Builds) == 0 && p.Class == "" && p.OS == ""
}

// String returns the value of the annotation.
func (p Placed) String() string {
	var items []string
	for _, item := range []struct {
		key    string
		values []string
	}{
		{"release", []string{p.Release.String()}},
		{"nodeSelector", p.Labels},
		{"builds", p.Builds},
		{"tolerations", p.Taints},
		{"runtimeClassName", []string{p.Class}},
		{"os", []string{p.OS}},
		{"empty", p.Containers},
	} {
		if text := strings.Join(item.values, ","); text != "" {
			items = append(items, item.key+"="+text)
		}
	}
	return strings.Join(items, " ")
}

// ReadPlaced reads the mark of an object. It returns false if there is none, or if it is not one that mixedkube writes.
func ReadPlaced(object map[string]any) (Placed, bool) {
	text, ok := tree.Text(tree.At(object, "metadata", "annotations", PlacedAnnotation))
	if !ok {
		return Placed{}, false
	}
	var p Placed
	for item := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(item, "=")
		values := strings.Split(value, ",")
		switch key {
		case "release":
			p.Release = platform.Platform(value)
		case "nodeSelector":
			p.Labels = values
		case "builds":
			p.Builds = values
		case "tolerations":
			p.Taints = values
		case "runtimeClassName":
			p.Class = value
		case "os":
			p.OS = value
		case "empty":
			p.Containers = values
		}
	}
	return p, p.known() && !p.Empty() && p.String() == text
}

// known reports whether mixedkube writes all fields of a mark. One of people, or of a later version, is left alone.
func (p Placed) known() bool {
	labels := []string{corev1.LabelOSStable, corev1.LabelArchStable, topology.LabelWindowsBuild}
	windows := append(platform.Windows(), "")
	return slices.Contains(windows, p.Release) && slices.Contains(windows, platform.Platform(p.Class)) &&
		(p.OS == "" || p.OS == string(platform.WindowsOS)) &&
		!slices.ContainsFunc(p.Containers, func(path string) bool { return !slices.Contains(containers, path) }) &&
		!slices.ContainsFunc(p.Labels, func(label string) bool { return !slices.Contains(labels, label) }) &&
		!slices.ContainsFunc(p.Builds, func(build string) bool { _, ok := ExactBuild(build); return !ok }) &&
		!slices.ContainsFunc(p.Taints, func(taint string) bool {
			_, err := topology.ParseTaint(taint)
			return err != nil
		})
}
