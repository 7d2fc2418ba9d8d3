package subject

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// VolumesOf returns the scope of the pods for an operating system that have a volume of one of the types.
func VolumesOf(os platform.OS, name string, types ...string) *engine.Scope[*Pods] {
	within := LinuxPods
	if os == platform.WindowsOS {
		within = WindowsPods
	}
	return &engine.Scope[*Pods]{
		Within: within, Name: name + " of " + os.DisplayName() + " pods",
		Has: func(p *Pods) bool {
			return slices.ContainsFunc(p.VolumeTypes(), func(t string) bool { return slices.Contains(types, t) })
		},
	}
}

// WindowsEmptyDirs are emptyDir volumes of Windows pods.
var WindowsEmptyDirs = VolumesOf(platform.WindowsOS, "emptyDir volumes", "emptyDir")

// VolumeTypes returns the types of the volumes of the pods, such as "emptyDir", sorted: the fields that are set in
// them, except the name.
func (p *Pods) VolumeTypes() []string { return p.volumeTypes.get(p.readVolumeTypes) }

func (p *Pods) readVolumeTypes() []string {
	var types []string
	for _, v := range tree.List(p.Spec["volumes"]) {
		for field, source := range tree.Map(v) {
			if field != "name" && source != nil && !slices.Contains(types, field) {
				types = append(types, field)
			}
		}
	}
	slices.Sort(types)
	return types
}
