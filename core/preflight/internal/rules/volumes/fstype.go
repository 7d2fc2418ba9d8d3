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

// FileSystem is a file system that a volume sets, and the path of the field in the volume.
type FileSystem struct {
	Field []any
	Type  any
}

// FileSystemsOf yields the file systems that a volume of pods sets, or a PersistentVolume with that spec.
func FileSystemsOf(volume map[string]any) iter.Seq[FileSystem] {
	return func(yield func(FileSystem) bool) {
		for _, source := range withFileSystem {
			fs := FileSystem{[]any{source, "fsType"}, tree.At(volume[source], "fsType")}
			if source == "csi" {
				fs = preferred(tree.Map(volume[source]), fs)
			}
			if fs.Type != nil && !yield(fs) {
				return
			}
		}
	}
}

// preferred returns the file system of a CSI volume: the driver for Azure disks prefers the one in the attributes.
func preferred(csi map[string]any, fs FileSystem) FileSystem {
	if driver, _ := tree.Text(csi["driver"]); driver != azureDisk {
		return fs
	}
	name, fsType := parameter(tree.Map(csi["volumeAttributes"]), "fstype")
	if text, _ := tree.Text(fsType); fsType == nil || text == "" && !tree.IsUnknown(fsType) {
		return fs
	}
	return FileSystem{[]any{"csi", "volumeAttributes", name}, fsType}
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
