package volumes

import (
	"iter"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var fileSystemRules = []engine.Rule{linuxFileSystemOnWindows, windowsFileSystemOnLinux}

var linuxFileSystemOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK529", Severity: rule.Warning, Title: "a Linux file system for Windows pods", Page: rulepages.Storage,
		Reason: "Windows supports NTFS and ReFS, not ext4, xfs and other Linux file systems. A driver that passes " +
			"the name to Windows fails to format the disk (MountVolume.MountDevice failed), and a disk with such a " +
			"file system cannot be read; some drivers use NTFS anyway. The file system of a claim comes from its " +
			"PersistentVolume, or from its StorageClass, if those are among the objects.",
		Source: "k8s.io/mount-utils v0.36.3, mount_windows.go (Format-Volume -FileSystem); " +
			"https://github.com/kubernetes-sigs/azuredisk-csi-driver/issues/561, " +
			"https://github.com/kubernetes/kubernetes/issues/62247",
	},
	Checks: []engine.Check{
		engine.On(windowsDisks, otherFileSystems),
		engine.On(collection.WindowsPodsWithClaims, otherFileSystemsOfClaims),
	},
}

var windowsFileSystemOnLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK530", Severity: rule.Warning, Title: "a Windows file system for Linux pods", Page: rulepages.Storage,
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
		for source, fsType := range FileSystemsOf(volume) {
			if LacksFileSystem(p.OS(), fsType) {
				found = append(found, rule.Problem{
					Path: p.Path("volumes", i, source, "fsType"), Value: fsType,
					Detail: "is a file system that " + subject.OSName(p.OS()) + " does not have", Fix: "remove it",
				})
			}
		}
	}
	return found
}

// withFileSystem are the sources of volumes whose file system is set in pods, or in a PersistentVolume.
var withFileSystem = [...]string{
	"csi", "azureDisk", "awsElasticBlockStore", "gcePersistentDisk", "vsphereVolume", "flexVolume",
}

// FileSystemsOf yields the file systems that a volume of pods sets, or a PersistentVolume with that spec, by the source
// that sets it.
func FileSystemsOf(volume map[string]any) iter.Seq2[string, any] {
	return func(yield func(source string, fsType any) bool) {
		for _, source := range withFileSystem {
			if fsType := tree.At(volume[source], "fsType"); fsType != nil && !yield(source, fsType) {
				return
			}
		}
	}
}

// fileSystems maps file systems, in lower case, to the only operating system that has them.
var fileSystems = map[string]platform.OS{
	"ext2": platform.LinuxOS, "ext3": platform.LinuxOS, "ext4": platform.LinuxOS, "xfs": platform.LinuxOS,
	"btrfs": platform.LinuxOS, "ntfs": platform.WindowsOS, "refs": platform.WindowsOS,
}

// LacksFileSystem reports whether only the other operating system has a file system.
func LacksFileSystem(os platform.OS, fsType any) bool {
	name, _ := tree.Text(fsType)
	has := fileSystems[strings.ToLower(name)]
	return has != "" && os != "" && has != os
}

// OwnFileSystem returns which file system to use on an operating system.
func OwnFileSystem(os platform.OS) string {
	if os == platform.WindowsOS {
		return "ntfs"
	}
	return "ext4 or xfs"
}
