package volumes

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// claimsWith returns the check of the claims of Windows pods for an obstacle: of their PersistentVolumes, or of their
// StorageClasses.
func claimsWith(obstacle Obstacle) engine.Check {
	return engine.On(collection.WindowsPodsWithClaims, func(c *collection.Claims) (found []rule.Problem) {
		for _, claim := range c.Bindings {
			wrong, is := unmountable(&claim)
			if !is || wrong.Obstacle != obstacle {
				continue
			}
			leads := fmt.Sprintf("leads to the StorageClass %v", nameOf(claim.Class))
			if claim.Volume != nil {
				leads = fmt.Sprintf("leads to the PersistentVolume %v with %s", nameOf(claim.Volume), wrong.Source)
			}
			found = append(found, rule.Problem{
				Path: claim.Path, Value: claim.Value, Detail: leads + reason(&wrong), Fix: wrong.Fix,
				Severity: wrong.Severity,
			})
		}
		return found
	})
}

// reason returns the end of a sentence about a class or a volume that Windows nodes cannot mount.
func reason(wrong *Unmountable) string {
	if wrong.Field == nil {
		return ": " + wrong.Detail
	}
	return fmt.Sprintf(" and %v %v: %s", wrong.Field[len(wrong.Field)-1], wrong.Value, wrong.Detail)
}

// otherFileSystemsOfClaims finds the claims that lead to file systems which the operating system of the pods does not
// have.
func otherFileSystemsOfClaims(c *collection.Claims) (found []rule.Problem) {
	os := c.OS()
	for _, claim := range c.Bindings {
		_, reported := unmountable(&claim)
		report := func(format string, of map[string]any, fsType any, fix string) {
			if LacksFileSystem(os, fsType) {
				found = append(found, rule.Problem{
					Path: claim.Path, Value: claim.Value,
					Detail: fmt.Sprintf(format, nameOf(of), fsType, os.DisplayName()), Fix: fix + OwnFileSystem(os),
				})
			}
		}
		switch {
		case os == platform.WindowsOS && reported:
			// Another rule reports it, whatever its file system.
		case claim.Volume != nil:
			for fs := range FileSystemsOf(tree.Map(claim.Volume["spec"])) {
				report("the PersistentVolume %v has the file system %v, which %s does not have", claim.Volume, fs.Type,
					"use a volume with ")
			}
		default:
			report("the StorageClass %v formats disks with %v, which %s does not have", claim.Class,
				formattedBy(claim.Class), "use a class with ")
		}
	}
	return found
}

// unmountable reports whether Windows nodes cannot mount the volume of a claim.
func unmountable(claim *collection.Binding) (Unmountable, bool) {
	if claim.Volume == nil {
		return ClassUnmountableOnWindows(claim.Class)
	}
	return UnmountableOnWindows(tree.Map(claim.Volume["spec"]))
}

// formattedBy returns the file system with which a StorageClass formats disks, nil if it sets none.
func formattedBy(class map[string]any) any {
	parameters := tree.Map(class["parameters"])
	for _, key := range [...]string{"csi.storage.k8s.io/fstype", "fstype", "fsType", "FSType"} {
		if fsType := parameters[key]; fsType != nil {
			return fsType
		}
	}
	return nil
}

func nameOf(object map[string]any) any { return tree.At(object, "metadata", "name") }
