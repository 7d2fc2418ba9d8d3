package volumes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Obstacle is why Windows nodes cannot mount a volume. There is a rule for each.
type Obstacle int

const (
	// NFS means that the volume is one.
	NFS Obstacle = iota
	// Image means that the volume is an image.
	Image
	// Driver means that the CSI driver of the volume does not run on Windows.
	Driver
	// Type means that the volume has another type that only Linux nodes can mount.
	Type
)

// Unmountable is the source of a volume of pods, or of a PersistentVolume, that Windows nodes cannot mount.
type Unmountable struct {
	Obstacle

	Source, Detail string
}

// onlyOnLinuxVolumes are the types of volumes that Windows nodes cannot mount.
var onlyOnLinuxVolumes = [...]string{
	"iscsi", "fc", "cephfs", "rbd", "glusterfs", "quobyte", "flocker", "scaleIO", "storageos", "photonPersistentDisk",
}

// UnmountableOnWindows reports whether Windows nodes cannot mount a volume of pods, or a PersistentVolume with a spec.
func UnmountableOnWindows(volume map[string]any) (Unmountable, bool) {
	if pods.IsSet(volume, "nfs") {
		return Unmountable{NFS, "nfs", "Windows cannot mount NFS volumes"}, true
	}
	if pods.IsSet(volume, "image") {
		return Unmountable{Image, "image", "containerd does not support image volumes on Windows"}, true
	}
	if detail, is := DriverWithoutWindows(tree.At(volume["csi"], "driver")); is {
		return Unmountable{Driver, "csi", detail}, true
	}
	for _, source := range onlyOnLinuxVolumes {
		if pods.IsSet(volume, source) {
			return Unmountable{Type, source, "Windows nodes cannot mount " + source + " volumes"}, true
		}
	}
	return Unmountable{}, false
}

// onlyOnLinuxDrivers are CSI drivers that do not run on Windows according to their documentation or maintainers. The
// source of the rule has one address for each.
var onlyOnLinuxDrivers = [...]string{"efs.csi.aws.com", "nfs.csi.k8s.io", "driver.longhorn.io"}

// DriverWithoutWindows reports whether a CSI driver is known not to run on Windows, and describes the problem. Rook
// prefixes the names of Ceph's drivers with the namespace of its operator.
func DriverWithoutWindows(driver any) (detail string, is bool) {
	name, _ := tree.Text(driver)
	if !slices.Contains(onlyOnLinuxDrivers[:], name) &&
		!strings.HasSuffix(name, ".rbd.csi.ceph.com") && !strings.HasSuffix(name, ".cephfs.csi.ceph.com") {
		return "", false
	}
	return fmt.Sprintf("the CSI driver %v does not run on Windows nodes", driver), true // the name may be secret
}
