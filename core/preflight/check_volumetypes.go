package preflight

import (
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	nfsOnWindows = rule.Rule{
		ID: "MK504", Severity: rule.Error, Title: "an NFS volume on Windows",
		Reason: "The kubelet on Windows mounts only SMB shares: the pod waits for its volume forever.",
		Source: "k8s.io/mount-utils v0.36.3, mount_windows.go (only cifs mount is supported now)",
	}
	volumeTypeOnWindows = rule.Rule{
		ID: "MK522", Severity: rule.Error, Title: "a volume type that Windows nodes cannot mount",
		Reason: "For iscsi and fc the kubelet starts iscsiadm and looks for devices below /dev, which Linux has. " +
			"Kubernetes no longer supports cephfs, rbd, glusterfs, quobyte, flocker, scaleIO, storageos and " +
			"photonPersistentDisk on any operating system. The pod waits for its volume forever.",
		Source: "pkg/volume/iscsi/iscsi_util.go, pkg/volume/fc/fc_util.go, cmd/kubelet/app/plugins.go and " +
			"pkg/api/pod/warnings.go of Kubernetes 1.36.3; " + windowsStorage,
	}
	imageVolumeOnWindows = rule.Rule{
		ID: "MK523", Severity: rule.Warning, Title: "an image volume on Windows",
		Reason: "containerd does not support image volumes on Windows: see its issue 11903, which is open.",
		Source: "https://github.com/containerd/containerd/issues/11903",
	}
)

// onlyOnLinuxVolumes are the types of volumes that Windows nodes cannot mount.
var onlyOnLinuxVolumes = [...]string{
	"iscsi", "fc", "cephfs", "rbd", "glusterfs", "quobyte", "flocker", "scaleIO", "storageos", "photonPersistentDisk",
}

// unmountable is a problem with the source of a volume of pods, or of a PersistentVolume.
type unmountable struct {
	rule        rule.Rule
	source      string
	detail, fix string
}

// unmountableOnWindows reports whether a Windows node cannot mount a volume.
func unmountableOnWindows(volume map[string]any) (unmountable, bool) {
	const useSMB = "use an SMB share, with its CSI driver"
	if pods.IsSet(volume, "nfs") {
		return unmountable{nfsOnWindows, "nfs", "Windows cannot mount NFS volumes", useSMB}, true
	}
	if pods.IsSet(volume, "image") {
		return unmountable{
			imageVolumeOnWindows, "image", "containerd does not support image volumes on Windows",
			"copy the files with an init container, or put them into the image",
		}, true
	}
	driver := tree.At(volume["csi"], "driver")
	if name, _ := tree.Text(driver); onlyOnLinuxDriver(name) {
		return unmountable{driverWithoutWindows, "csi", detailOfDriver(driver), useOtherDriver}, true
	}
	for _, source := range onlyOnLinuxVolumes {
		if pods.IsSet(volume, source) {
			return unmountable{
				volumeTypeOnWindows, source, "Windows nodes cannot mount " + source + " volumes",
				"use a CSI driver for Windows",
			}, true
		}
	}
	return unmountable{}, false
}

// volumeType checks the type of a volume.
func (c *check) volumeType(p *judged, i int, volume map[string]any) {
	if wrong, found := unmountableOnWindows(volume); found {
		c.report(wrong.rule, rule.Problem{
			Path: p.Path("volumes", i, wrong.source), Detail: wrong.detail, Fix: wrong.fix,
		})
	}
}
