package volumes

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// claimsWith returns the check of the claims of Windows pods for an obstacle: of their PersistentVolumes, or of the
// drivers of their StorageClasses.
func claimsWith(obstacle Obstacle) engine.Check {
	return engine.On(collection.WindowsPodsWithClaims, func(c *collection.Claims) (found []rule.Problem) {
		for _, claim := range c.Bindings {
			problem := rule.Problem{Path: claim.Path, Value: claim.Value}
			if claim.Volume == nil {
				detail, is := DriverWithoutWindows(claim.Class["provisioner"])
				if !is || obstacle != Driver {
					continue
				}
				problem.Detail = fmt.Sprintf("leads to the StorageClass %v: %s", nameOf(claim.Class), detail)
			} else {
				wrong, is := UnmountableOnWindows(tree.Map(claim.Volume["spec"]))
				if !is || obstacle != wrong.Obstacle {
					continue
				}
				problem.Detail = fmt.Sprintf("leads to the PersistentVolume %v with %s: %s", nameOf(claim.Volume),
					wrong.Source, wrong.Detail)
			}
			found = append(found, problem)
		}
		return found
	})
}

// otherFileSystemsOfClaims finds the claims that lead to file systems which the operating system of the pods does not
// have.
func otherFileSystemsOfClaims(c *collection.Claims) (found []rule.Problem) {
	os := c.OS()
	for _, claim := range c.Bindings {
		report := func(format string, of map[string]any, fsType any, fix string) {
			if LacksFileSystem(os, fsType) {
				found = append(found, rule.Problem{
					Path: claim.Path, Value: claim.Value,
					Detail: fmt.Sprintf(format, nameOf(of), fsType, os.DisplayName()), Fix: fix + OwnFileSystem(os),
				})
			}
		}
		switch {
		case os == platform.WindowsOS && isUnmountable(&claim):
			// Another rule reports it, whatever its file system.
		case claim.Volume != nil:
			for _, fsType := range FileSystemsOf(tree.Map(claim.Volume["spec"])) {
				report("the PersistentVolume %v has the file system %v, which %s does not have", claim.Volume, fsType,
					"use a volume with ")
			}
		default:
			report("the StorageClass %v formats disks with %v, which %s does not have", claim.Class,
				formattedBy(claim.Class), "use a class with ")
		}
	}
	return found
}

// isUnmountable reports whether Windows nodes cannot mount the volume of a claim.
func isUnmountable(claim *collection.Binding) bool {
	if claim.Volume == nil {
		_, is := DriverWithoutWindows(claim.Class["provisioner"])
		return is
	}
	_, is := UnmountableOnWindows(tree.Map(claim.Volume["spec"]))
	return is
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
