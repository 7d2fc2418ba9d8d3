package volumes

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var typeRules = []engine.Rule{
	nfsOnWindows, volumeTypeOnWindows, imageVolumeOnWindows, driverWithoutWindows, identityOnWindows,
	partitionOnWindows,
}

var nfsOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK504", Severity: rule.Error, Title: "an NFS volume on Windows", Page: rulepages.Storage,
		Reason: "The kubelet on Windows mounts only SMB shares: the pod waits for its volume forever. The same is " +
			"true of shares of Azure Files whose class or volume has the protocol nfs, with encryptInTransit or " +
			"without. Trident of NetApp mounts SMB shares of a class with trident.netapp.io/nasType smb; without it, " +
			"the finding is a warning, because Trident takes any of its backends, and they have NFS volumes by " +
			"default.",
		Fix: "use an SMB share, with its CSI driver",
		Source: "k8s.io/mount-utils v0.36.3, mount_windows.go (only cifs mount is supported now); " +
			azureFilesPage + "; NodeStageVolume in " + azureFilesDriver + "; " +
			"https://learn.microsoft.com/azure/aks/azure-netapp-files-smb#create-a-storage-class; " +
			"FilterPoolsOnNasType in https://github.com/NetApp/trident/blob/master/storage_class/storage_class.go",
	},
	Checks: []engine.Check{volumesWith(NFS), claimsWith(NFS)},
}

var volumeTypeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK522", Severity: rule.Error, Title: "a volume type that Windows nodes cannot mount",
		Page: rulepages.Volumes,
		Reason: "For iscsi and fc the kubelet starts iscsiadm and looks for devices below /dev, which Linux has. " +
			"Kubernetes no longer supports cephfs, rbd, glusterfs, quobyte, flocker, scaleIO, storageos and " +
			"photonPersistentDisk on any operating system. It disables gitRepo by default since 1.33, and always " +
			"since 1.36. The pod waits for its volume forever.",
		Fix: "use a CSI driver for Windows",
		Source: "pkg/volume/iscsi/iscsi_util.go, pkg/volume/fc/fc_util.go, cmd/kubelet/app/plugins.go, " +
			"pkg/api/pod/warnings.go and pkg/features/kube_features.go (GitRepoVolumeDriver) of Kubernetes 1.36.3; " +
			sources.WindowsStorage,
	},
	Checks: []engine.Check{volumesWith(Type), claimsWith(Type), engine.On(windowsGitRepos, disabledGitRepos)},
}

var imageVolumeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK523", Severity: rule.Warning, Title: "an image volume on Windows", Page: rulepages.Volumes,
		Reason: "containerd does not support image volumes on Windows: see its issue 11903, which is open.",
		Fix:    "copy the files with an init container, or put them into the image",
		Source: "https://github.com/containerd/containerd/issues/11903",
	},
	Checks: []engine.Check{volumesWith(Image)},
}

var driverWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK541", Severity: rule.Warning, Title: "a CSI driver that does not run on Windows nodes",
		Page: rulepages.Storage,
		Reason: "According to its documentation or its maintainers, the driver's node plug-in needs Linux. The " +
			"kubelet of a Windows node does not find the driver (not found in the list of registered CSI drivers), " +
			"and the pod waits for its volume forever, whatever the file system. The driver of a claim is the driver " +
			"of its PersistentVolume, or the provisioner of its StorageClass, if those are among the objects. With " +
			"the cloud aks in the topology, the rule knows the classes that AKS creates.",
		Fix: "use a driver that runs on Windows, such as smb.csi.k8s.io, or run the pods on Linux nodes",
		Source: "https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html, " +
			"https://github.com/kubernetes-csi/csi-driver-nfs/issues/287, https://github.com/rook/rook/issues/11670, " +
			"https://longhorn.io/docs/1.11.1/deploy/install/ (open-iscsi and bash on each node), " +
			"https://github.com/kubernetes-sigs/blob-csi-driver/issues/473, " +
			"https://learn.microsoft.com/azure/aks/concepts-storage#storage-classes",
	},
	Checks: []engine.Check{volumesWith(Driver), claimsWith(Driver)},
}

const (
	azureFilesPage   = "https://learn.microsoft.com/azure/aks/create-volume-azure-files"
	azureFilesDriver = "https://github.com/kubernetes-sigs/azurefile-csi-driver/blob/master/pkg/azurefile/nodeserver.go"
)

var identityOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK546", Severity: rule.Error, Title: "a share of Azure Files that Windows nodes mount with an identity",
		Since: "1.34", Page: rulepages.Storage,
		Reason: "With mountWithManagedIdentity or mountWithWorkloadIdentityToken the Azure Files driver does not get " +
			"the key of the account, and mounts the share with Kerberos, which it implements on Linux only. On " +
			"Windows it reports that accountName or accountKey is empty, and the pod waits for its volume forever.",
		Fix:    "remove it, so that the driver uses the key of the account",
		Source: azureFilesPage + " (on Linux nodes); NodeStageVolume in " + azureFilesDriver,
	},
	Checks: []engine.Check{volumesWith(Identity), claimsWith(Identity)},
}

var partitionOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK547", Severity: rule.Error, Title: "a partition of an Azure disk for Windows pods",
		Page: rulepages.Disks,
		Reason: "The attribute partition is supported on Linux only: the driver appends -part and the number to the " +
			"path of the device, which on Windows is the number of the disk. The pod waits for its volume forever.",
		Fix: "use a disk with one partition, and remove the attribute",
		Source: "https://learn.microsoft.com/azure/aks/create-volume-azure-disk; NodeStageVolume in " +
			"https://github.com/kubernetes-sigs/azuredisk-csi-driver/blob/master/pkg/azuredisk/nodeserver.go",
	},
	Checks: []engine.Check{volumesWith(Partition), claimsWith(Partition)},
}

// disabledGitRepos finds gitRepo volumes in versions that disable them. Before 1.36 a cluster can enable them again.
func disabledGitRepos(p *subject.Pods) []rule.Problem {
	minor := p.Cluster.Minor
	if minor != 0 && minor < gitRepoOff {
		return nil
	}
	found := volumesOn(p, GitRepo)
	for i := range found {
		if minor < gitRepoLocked {
			found[i].Severity = rule.Warning
			found[i].Detail += ", unless the feature gate GitRepoVolumeDriver is on"
		}
	}
	return found
}

// The minor versions of Kubernetes that disable gitRepo volumes, by default and always.
const gitRepoOff, gitRepoLocked = 33, 36

// volumesWith returns the check of the volumes of Windows pods for an obstacle.
func volumesWith(obstacle Obstacle) engine.Check {
	return engine.On(windowsObstacles, func(p *subject.Pods) []rule.Problem { return volumesOn(p, obstacle) })
}

// volumesOn finds the volumes of Windows pods with an obstacle.
func volumesOn(p *subject.Pods, obstacle Obstacle) []rule.Problem {
	var found []rule.Problem
	for i, volume := range volumesOf(p) {
		if wrong, is := UnmountableOnWindows(volume); is && wrong.Obstacle == obstacle {
			found = append(found, rule.Problem{
				Path:  p.Path(append([]any{"volumes", i, wrong.Source}, wrong.Field...)...),
				Value: wrong.Value, Detail: wrong.Detail, Fix: wrong.Fix,
			})
		}
	}
	return found
}
