package volumes

import (
	"iter"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

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
