package volumes

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var typeRules = []engine.Rule{nfsOnWindows, volumeTypeOnWindows, imageVolumeOnWindows, driverWithoutWindows}

var nfsOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK504", Severity: rule.Error, Title: "an NFS volume on Windows", Page: rulepages.Storage,
		Reason: "The kubelet on Windows mounts only SMB shares: the pod waits for its volume forever.",
		Fix:    "use an SMB share, with its CSI driver",
		Source: "k8s.io/mount-utils v0.36.3, mount_windows.go (only cifs mount is supported now)",
	},
	Checks: []engine.Check{volumesWith(NFS), claimsWith(NFS)},
}

var volumeTypeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK522", Severity: rule.Error, Title: "a volume type that Windows nodes cannot mount",
		Page: rulepages.Volumes,
		Reason: "For iscsi and fc the kubelet starts iscsiadm and looks for devices below /dev, which Linux has. " +
			"Kubernetes no longer supports cephfs, rbd, glusterfs, quobyte, flocker, scaleIO, storageos and " +
			"photonPersistentDisk on any operating system. The pod waits for its volume forever.",
		Fix: "use a CSI driver for Windows",
		Source: "pkg/volume/iscsi/iscsi_util.go, pkg/volume/fc/fc_util.go, cmd/kubelet/app/plugins.go and " +
			"pkg/api/pod/warnings.go of Kubernetes 1.36.3; " + sources.WindowsStorage,
	},
	Checks: []engine.Check{volumesWith(Type), claimsWith(Type)},
}

var imageVolumeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK523", Severity: rule.Warning, Title: "an image volume on Windows", Page: rulepages.Volumes,
		Reason: "containerd does not support image volumes on Windows: see its issue 11903, which is open.",
		Fix:    "copy the files with an init container, or put them into the image",
		Source: "https://github.com/containerd/containerd/issues/11903",
	},
	Checks: []engine.Check{volumesWith(Image), claimsWith(Image)},
}

var driverWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK541", Severity: rule.Warning, Title: "a CSI driver that does not run on Windows nodes",
		Page: rulepages.Storage,
		Reason: "According to its documentation or its maintainers, the driver's node plug-in needs Linux. The " +
			"kubelet of a Windows node does not find the driver (not found in the list of registered CSI drivers), " +
			"and the pod waits for its volume forever, whatever the file system. The driver of a claim is the driver " +
			"of its PersistentVolume, or the provisioner of its StorageClass, if those are among the objects.",
		Fix: "use a driver that runs on Windows, such as smb.csi.k8s.io, or run the pods on Linux nodes",
		Source: "https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html, " +
			"https://github.com/kubernetes-csi/csi-driver-nfs/issues/287, https://github.com/rook/rook/issues/11670, " +
			"https://longhorn.io/docs/1.11.1/deploy/install/ (open-iscsi and bash on each node)",
	},
	Checks: []engine.Check{volumesWith(Driver), claimsWith(Driver)},
}

// volumesWith returns the check of the volumes of Windows pods for an obstacle.
func volumesWith(obstacle Obstacle) engine.Check {
	return engine.On(windowsObstacles, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i, volume := range volumesOf(p) {
			if wrong, is := UnmountableOnWindows(volume); is && wrong.Obstacle == obstacle {
				found = append(found, rule.Problem{Path: p.Path("volumes", i, wrong.Source), Detail: wrong.Detail})
			}
		}
		return found
	})
}
