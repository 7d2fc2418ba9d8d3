package volumes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
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
	// Identity means that the driver uses an identity of Azure to mount the share, which it does on Linux only.
	Identity
	// Partition means that the driver mounts one partition of a disk, which it does on Linux only.
	Partition
	// GitRepo means that the volume is a clone of a Git repository, which the kubelet no longer makes.
	GitRepo
	// Type means that the volume has another type that only Linux nodes can mount.
	Type
)

// Unmountable is the source of a volume of pods, or of a PersistentVolume, that Windows nodes cannot mount.
type Unmountable struct {
	Obstacle

	Source, Detail string
	// Field is the path below the source of the field that is the reason, and Value its value. Both are nil if the
	// whole source is the reason.
	Field []any
	Value any
	// Fix is how to fix the problem, if the fix of the rule is for others.
	Fix string
	// Severity is set if it is not the one of the rule.
	Severity rule.Severity
}

// onlyOnLinuxVolumes are the types of volumes that Windows nodes cannot mount.
var onlyOnLinuxVolumes = [...]string{
	"iscsi", "fc", "cephfs", "rbd", "glusterfs", "quobyte", "flocker", "scaleIO", "storageos", "photonPersistentDisk",
}

// UnmountableOnWindows reports whether Windows nodes cannot mount a volume of pods, or a PersistentVolume with a spec.
func UnmountableOnWindows(volume map[string]any) (Unmountable, bool) {
	if pods.IsSet(volume, "nfs") {
		return Unmountable{Obstacle: NFS, Source: "nfs", Detail: "Windows cannot mount NFS volumes"}, true
	}
	if pods.IsSet(volume, "image") {
		return Unmountable{
			Obstacle: Image, Source: "image", Detail: "containerd does not support image volumes on Windows",
		}, true
	}
	if pods.IsSet(volume, "gitRepo") {
		return Unmountable{
			Obstacle: GitRepo, Source: "gitRepo", Detail: "the kubelet has disabled gitRepo volumes",
			Fix: "clone the repository into an emptyDir with an init container",
		}, true
	}
	csi := tree.Map(volume["csi"])
	attributes := tree.Map(csi["volumeAttributes"])
	if wrong, is := driverOnWindows(csi["driver"], attributes); is {
		wrong.Source = "csi"
		if wrong.Field != nil {
			wrong.Field = append([]any{"volumeAttributes"}, wrong.Field...)
		}
		return wrong, true
	}
	partition, known := tree.Text(attributes["partition"])
	if driver, _ := tree.Text(csi["driver"]); driver == azureDisk && known && partition != "" {
		return Unmountable{
			Obstacle: Partition, Source: "csi", Detail: "the Azure Disk driver mounts partitions on Linux nodes only",
			Field: []any{"volumeAttributes", "partition"}, Value: attributes["partition"],
		}, true
	}
	for _, source := range onlyOnLinuxVolumes {
		if pods.IsSet(volume, source) {
			return Unmountable{
				Obstacle: Type, Source: source, Detail: "Windows nodes cannot mount " + source + " volumes",
			}, true
		}
	}
	return Unmountable{}, false
}

// ClassUnmountableOnWindows reports whether Windows nodes cannot mount the volumes that a StorageClass provisions.
func ClassUnmountableOnWindows(class map[string]any) (Unmountable, bool) {
	parameters := tree.Map(class["parameters"])
	if wrong, is := driverOnWindows(class["provisioner"], parameters); is {
		return wrong, true
	}
	// The driver makes an NFS share for this file system. It ignores it in a PersistentVolume.
	if driver, _ := tree.Text(class["provisioner"]); driver == azureFiles && isNFS(parameters, "fstype") {
		return nfsOfAzure(parameters, "fstype"), true
	}
	if driver, _ := tree.Text(class["provisioner"]); driver == trident && !tree.IsUnknown(class["parameters"]) {
		return nfsOfTrident(parameters)
	}
	return Unmountable{}, false
}

// onlyOnLinuxDrivers are CSI drivers that do not run on Windows according to their documentation or maintainers. The
// source of the rule has one address for each.
var onlyOnLinuxDrivers = [...]string{"efs.csi.aws.com", "nfs.csi.k8s.io", "driver.longhorn.io", "blob.csi.azure.com"}

// The drivers of Azure that run on Windows.
const (
	azureDisk  = "disk.csi.azure.com"
	azureFiles = "file.csi.azure.com"
)

// driverOnWindows reports whether a CSI driver is known not to run on Windows, or not to mount volumes there with some
// parameters, and describes the problem. Rook prefixes the names of Ceph's drivers with the namespace of its operator.
func driverOnWindows(driver any, parameters map[string]any) (Unmountable, bool) {
	name, _ := tree.Text(driver)
	switch {
	case slices.Contains(onlyOnLinuxDrivers[:], name), strings.HasSuffix(name, ".rbd.csi.ceph.com"),
		strings.HasSuffix(name, ".cephfs.csi.ceph.com"):
		// The name may be secret.
		return Unmountable{
			Obstacle: Driver, Detail: fmt.Sprintf("the CSI driver %v does not run on Windows nodes", driver),
		}, true
	case name != azureFiles:
		return Unmountable{}, false
	case isNFS(parameters, "protocol"):
		return nfsOfAzure(parameters, "protocol"), true
	}
	for _, key := range [...]string{"mountwithmanagedidentity", "mountwithworkloadidentitytoken"} {
		field, value := parameter(parameters, key)
		if text, _ := tree.Text(value); strings.EqualFold(text, "true") {
			return Unmountable{
				Obstacle: Identity, Field: []any{field}, Value: value,
				Detail: "the Azure Files driver mounts shares with an identity on Linux nodes only",
			}, true
		}
	}
	return Unmountable{}, false
}

func isNFS(parameters map[string]any, key string) bool {
	_, value := parameter(parameters, key)
	text, _ := tree.Text(value)
	return text == "nfs"
}

func nfsOfAzure(parameters map[string]any, key string) Unmountable {
	field, value := parameter(parameters, key)
	return Unmountable{
		Obstacle: NFS, Field: []any{field}, Value: value, Detail: "Windows cannot mount NFS shares of Azure Files",
		Fix: "remove " + field + ", and use an SMB share",
	}
}

// parameter returns a parameter of a StorageClass, or an attribute of a volume, and its name as it is written. The
// drivers of Azure ignore the case of names. If a name is written twice, the first one in alphabetical order counts:
// which one the driver uses is not defined.
func parameter(parameters map[string]any, lower string) (name string, value any) {
	for key, v := range parameters {
		if strings.EqualFold(key, lower) && (name == "" || key < name) {
			name, value = key, v
		}
	}
	return name, value
}
