package volumes

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var fileSystemRules = []engine.Rule{linuxFileSystemOnWindows, windowsFileSystemOnLinux}

var linuxFileSystemOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK529", Severity: rule.Warning, Title: "a Linux file system for Windows pods", Page: rulepages.Disks,
		Reason: "Windows supports NTFS and ReFS, not ext4, xfs and other Linux file systems. A driver that passes " +
			"the name to Windows fails to format the disk (MountVolume.MountDevice failed), and a disk with such a " +
			"file system cannot be read; some drivers use NTFS anyway. The file system of a claim comes from its " +
			"PersistentVolume, or from its StorageClass, if those are among the objects. For a disk of Azure, " +
			"volumeAttributes.fsType takes precedence over fsType.",
		Source: "k8s.io/mount-utils v0.36.3, mount_windows.go (Format-Volume -FileSystem); " +
			"https://github.com/kubernetes-sigs/azuredisk-csi-driver/issues/561, " +
			"https://github.com/kubernetes/kubernetes/issues/62247; NodeStageVolume in " +
			"https://github.com/kubernetes-sigs/azuredisk-csi-driver/blob/master/pkg/azuredisk/nodeserver.go",
	},
	Checks: []engine.Check{
		engine.On(windowsDisks, otherFileSystems),
		engine.On(collection.WindowsPodsWithClaims, otherFileSystemsOfClaims),
	},
}

var windowsFileSystemOnLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK530", Severity: rule.Warning, Title: "a Windows file system for Linux pods", Page: rulepages.Disks,
		Reason: "A driver formats disks with mkfs and the name of the file system: few drivers have an mkfs.ntfs, " +
			"and none has one for ReFS.",
		Source: "k8s.io/mount-utils v0.36.3, mount_linux.go, formatAndMountSensitive",
	},
	Checks: []engine.Check{
		engine.On(linuxDisks, otherFileSystems),
		engine.On(collection.LinuxPodsWithClaims, otherFileSystemsOfClaims),
	},
}

// otherFileSystems finds the file systems that volumes of pods set and that their operating system does not have.
func otherFileSystems(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	for i, volume := range volumesOf(p) {
		if _, is := UnmountableOnWindows(volume); is && p.OS() == platform.WindowsOS {
			continue // another rule reports it, whatever its file system
		}
		for fs := range FileSystemsOf(volume) {
			if LacksFileSystem(p.OS(), fs.Type) {
				found = append(found, rule.Problem{
					Path: p.Path(append([]any{"volumes", i}, fs.Field...)...), Value: fs.Type,
					Detail: "is a file system that " + p.OS().DisplayName() + " does not have", Fix: "remove it",
				})
			}
		}
	}
	return found
}
