package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// on returns a cluster with Windows Server 2022 in a cloud.
func on(cloud topology.Cloud) preflight.Options {
	options := mixed(platform.WindowsServer2022)
	options.Topology.Cloud = cloud
	return options
}

// claimOf returns a claim that the pods with mounts use.
func claimOf(spec string) string {
	return "{kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop}, spec: {" + spec + "}}\n---\n"
}

const claimPath = `spec.template.spec.volumes[0].persistentVolumeClaim.claimName: "data": leads to the `

func TestSharesOfAzureFiles(t *testing.T) {
	t.Parallel()
	class := func(parameters string) string {
		return "{kind: StorageClass, metadata: {name: fast}, provisioner: file.csi.azure.com, parameters: {" +
			parameters + "}}\n---\n" + claimOf("storageClassName: fast")
	}
	volume := func(attributes string) string {
		return "{kind: PersistentVolume, metadata: {name: disk}, spec: {csi: {driver: file.csi.azure.com, " +
			"volumeAttributes: {" + attributes + "}}}}\n---\n" + claimOf("volumeName: disk")
	}
	const (
		noNFS    = "Windows cannot mount NFS shares of Azure Files: remove protocol, and use an SMB share (MK504)"
		identity = "the Azure Files driver mounts shares with an identity on Linux nodes only: remove it, so that " +
			"the driver uses the key of the account (MK546)"
		ofClass  = claimPath + "StorageClass fast and "
		ofVolume = claimPath + "PersistentVolume disk with csi and "
	)
	windows, linux := deploy("shop", inWindows+mounts), deploy("shop", inLinux+mounts)
	runAcrossCases(t, []acrossCase{
		{
			name: "NFS by the class", objects: class("protocol: nfs, encryptInTransit: 'true'") + windows,
			want: []string{"2 error " + ofClass + "protocol nfs: " + noNFS},
		},
		{
			name: "NFS by the file system of the class", objects: class("fsType: nfs") + windows,
			want: []string{"2 error " + ofClass + "fsType nfs: " + strings.Replace(noNFS, "protocol", "fsType", 1)},
		},
		{
			name: "NFS by the volume", objects: volume("Protocol: nfs") + windows,
			want: []string{
				"2 error " + ofVolume + "Protocol nfs: " + strings.Replace(noNFS, "protocol", "Protocol", 1),
			},
		},
		{name: "a file system of the volume, which the driver ignores", objects: volume("fsType: nfs") + windows},
		{
			name: "a secret protocol", objects: class("protocol: $secret-nfs") + windows,
			want: []string{"2 error " + ofClass + "protocol [secret]: " + noNFS},
		},
		{name: "SMB", objects: class("protocol: smb, encryptInTransit: 'true'") + windows},
		{name: "a protocol that is not known", objects: class("protocol: $unknown") + windows},
		{name: "parameters that are not known", objects: strings.Replace(class("!"), "{!}", "$unknown", 1) + windows},
		{name: "NFS of Linux pods", objects: class("protocol: nfs") + linux},
		{
			name: "a managed identity", objects: class("mountWithManagedIdentity: 'true'") + windows, options: v136,
			want: []string{"2 error " + ofClass + "mountWithManagedIdentity true: " + identity},
		},
		{
			name: "a workload identity", options: v136,
			objects: volume("mountWithWorkloadIdentityToken: 'true'") + windows,
			want:    []string{"2 error " + ofVolume + "mountWithWorkloadIdentityToken true: " + identity},
		},
		{
			name: "no version", objects: class("mountWithManagedIdentity: 'true'") + windows,
			want: []string{"2 warning " + ofClass + "mountWithManagedIdentity true: " + identity},
		},
		{
			name: "a version before identities", objects: class("mountWithManagedIdentity: 'true'") + windows,
			options: preflight.Options{KubernetesVersion: "1.33"},
		},
		{name: "the key", objects: class("mountWithManagedIdentity: 'false'") + windows, options: v136},
		{
			name: "an identity that is not known", objects: class("mountWithManagedIdentity: $unknown") + windows,
			options: v136,
		},
		{name: "an identity on Linux", objects: class("mountWithManagedIdentity: 'true'") + linux, options: v136},
		{
			name: "parameters of another driver", options: v136, objects: strings.Replace(
				class("protocol: nfs, mountWithManagedIdentity: 'true'"), "file.csi", "smb.csi", 1) + windows,
		},
	})
	inline := ", volumes: [{name: data, csi: {driver: file.csi.azure.com, volumeAttributes: {protocol: nfs}}}]"
	wantFindings(t, object(t, deploy("shop", inWindows+inline)), v136, "MK504",
		`spec.template.spec.volumes[0].csi.volumeAttributes.protocol: "nfs": `+noNFS)
}

func TestVolumesOfTrident(t *testing.T) {
	t.Parallel()
	class := func(parameters string) string {
		return "{kind: StorageClass, metadata: {name: fast}, provisioner: csi.trident.netapp.io, parameters: " +
			parameters + "}\n---\n" + claimOf("storageClassName: fast")
	}
	const fix = ": set trident.netapp.io/nasType to smb (MK504)"
	windows, linux := deploy("shop", inWindows+mounts), deploy("shop", inLinux+mounts)
	nfs := func(field, value string) []string {
		return []string{"2 error " + claimPath + "StorageClass fast and " + field + " " + value +
			": Windows cannot mount NFS volumes of Trident" + fix}
	}
	runAcrossCases(t, []acrossCase{
		{
			name: "no type", objects: class("{backendType: azure-netapp-files}") + windows,
			want: []string{"2 warning " + claimPath + "StorageClass fast: Trident may provision NFS volumes for it, " +
				"because nasType is not set" + fix},
		},
		{
			name: "NFS", objects: class("{trident.netapp.io/nasType: NFS}") + windows,
			want: nfs("trident.netapp.io/nasType", "NFS"),
		},
		{name: "without the prefix", objects: class("{nasType: nfs}") + windows, want: nfs("nasType", "nfs")},
		{name: "SMB", objects: class("{trident.netapp.io/nasType: smb}") + windows},
		{name: "a type that is not known", objects: class("{trident.netapp.io/nasType: $unknown}") + windows},
		{name: "parameters that are not known", objects: class("$unknown") + windows},
		{name: "a class that names its backend", objects: class("{trident.netapp.io/selector: type=smb}") + windows},
		{name: "Linux pods", objects: class("{nasType: nfs}") + linux},
	})
}

func TestDisksOfAzure(t *testing.T) {
	t.Parallel()
	volume := func(driver, csi string) string {
		return "{kind: PersistentVolume, metadata: {name: disk}, spec: {csi: {driver: " + driver + ", " + csi +
			"}}}\n---\n" + claimOf("volumeName: disk")
	}
	const (
		azure     = "disk.csi.azure.com"
		partition = "error " + claimPath + "PersistentVolume disk with csi and partition 1: the Azure Disk driver " +
			"mounts partitions on Linux nodes only: use a disk with one partition, and remove the attribute (MK547)"
	)
	fileSystem := func(name, os, use, id string) []string {
		return []string{"2 warning " + strings.TrimSuffix(claimPath, "leads to the ") +
			"the PersistentVolume disk has the file system " + name + ", which " + os +
			" does not have: use a volume with " + use + " (" + id + ")"}
	}
	windows, linux := deploy("shop", inWindows+mounts), deploy("shop", inLinux+mounts)
	runAcrossCases(t, []acrossCase{
		{
			name:    "a file system in the attributes",
			objects: volume(azure, "volumeAttributes: {FSType: ext4}") + windows,
			want:    fileSystem("ext4", "Windows", "ntfs", "MK529"),
		},
		{
			name:    "the attributes take precedence",
			objects: volume(azure, "fsType: ntfs, volumeAttributes: {fsType: xfs}") + windows,
			want:    fileSystem("xfs", "Windows", "ntfs", "MK529"),
		},
		{
			name:    "on Linux",
			objects: volume(azure, "fsType: ext4, volumeAttributes: {fsType: ntfs}") + linux,
			want:    fileSystem("ntfs", "Linux", "ext4 or xfs", "MK530"),
		},
		{
			name:    "the file system beside the attributes does not count",
			objects: volume(azure, "fsType: ext4, volumeAttributes: {fsType: ntfs}") + windows,
		},
		{
			name:    "nor if the attributes are not known",
			objects: volume(azure, "fsType: ext4, volumeAttributes: {fsType: $unknown}") + windows,
		},
		{
			name:    "an empty attribute",
			objects: volume(azure, "fsType: ext4, volumeAttributes: {fsType: ''}") + windows,
			want:    fileSystem("ext4", "Windows", "ntfs", "MK529"),
		},
		{
			name:    "attributes of another driver",
			objects: volume("disk.example.com", "volumeAttributes: {fsType: ext4, partition: '1'}") + windows,
		},
		{
			name: "a partition", objects: volume(azure, "volumeAttributes: {partition: '1'}") + windows,
			want: []string{"2 " + partition},
		},
		{name: "a partition on Linux", objects: volume(azure, "volumeAttributes: {partition: '1'}") + linux},
		{
			name:    "a partition that is not known",
			objects: volume(azure, "volumeAttributes: {partition: $unknown}") + windows,
		},
		{name: "the whole disk", objects: volume(azure, "fsType: ntfs") + windows},
	})
}

func TestClassesThatAKSCreates(t *testing.T) {
	t.Parallel()
	const blob = ": the CSI driver blob.csi.azure.com does not run on Windows nodes: use a driver that runs on " +
		"Windows, such as smb.csi.k8s.io, or run the pods on Linux nodes (MK541)"
	claim := func(class string) string { return claimOf("storageClassName: " + class) }
	set := strings.Replace(strings.Replace(deploy("shop", inWindows), "Deployment", "StatefulSet", 1), "spec:\n",
		"spec:\n  volumeClaimTemplates: [{metadata: {name: a}, spec: {storageClassName: azureblob-fuse-premium}}]\n", 1)
	windows, linux := deploy("shop", inWindows+mounts), deploy("shop", inLinux+mounts)
	aks := on(topology.AKS)
	runAcrossCases(t, []acrossCase{
		{
			name: "BlobFuse", objects: claim("azureblob-fuse-premium") + windows, options: aks,
			want: []string{"1 warning " + claimPath + "StorageClass azureblob-fuse-premium" + blob},
		},
		{
			name: "NFS", objects: claim("azureblob-nfs-premium") + windows, options: aks,
			want: []string{"1 warning " + claimPath + "StorageClass azureblob-nfs-premium" + blob},
		},
		{
			name: "the claims of a StatefulSet", objects: set, options: aks,
			want: []string{`0 warning spec.volumeClaimTemplates[0].spec.storageClassName: "azureblob-fuse-premium": ` +
				"leads to the StorageClass azureblob-fuse-premium" + blob},
		},
		{name: "another cloud", objects: claim("azureblob-fuse-premium") + windows, options: on(topology.EKS)},
		{name: "no topology", objects: claim("azureblob-fuse-premium") + windows},
		{name: "disks", objects: claim("managed-csi-premium-v2") + windows, options: aks},
		{name: "SMB", objects: claim("azurefile-csi") + windows, options: aks},
		{name: "another class", objects: claim("blobs") + windows, options: aks},
		{name: "a class that is not known", objects: claim("$unknown") + windows, options: aks},
		{name: "a secret class", objects: claim("$secret-azureblob-fuse-premium") + windows, options: aks},
		{name: "Linux pods", objects: claim("azureblob-fuse-premium") + linux, options: aks},
		{
			name:    "the class among the objects",
			options: aks,
			objects: "{kind: StorageClass, metadata: {name: azureblob-fuse-premium}, provisioner: smb.csi.k8s.io}\n" +
				"---\n" + claim("azureblob-fuse-premium") + windows,
		},
		{
			name: "a volume that exists", options: aks,
			objects: claim("azureblob-fuse-premium, volumeName: disk") + windows,
		},
		{
			name: "a volume for the claim", options: aks,
			objects: claim("azureblob-fuse-premium") + "{kind: PersistentVolume, metadata: {name: disk}, spec: " +
				"{claimRef: {name: data, namespace: shop}, csi: {driver: smb.csi.k8s.io}}}\n---\n" + windows,
		},
	})
}

func TestGitRepositoriesAsVolumes(t *testing.T) {
	t.Parallel()
	const (
		volume = "volumes: [{name: v, gitRepo: {repository: 'https://git.example.com/shop'}}]\n"
		at     = " spec.volumes[0].gitRepo: the kubelet has disabled gitRepo volumes"
		unless = ", unless the feature gate GitRepoVolumeDriver is on"
		fix    = ": clone the repository into an emptyDir with an init container (MK522)"
	)
	image := container("shop.example.com/shop:1.4")
	version := func(v string) preflight.Options { return preflight.Options{KubernetesVersion: v} }
	runPodCases(t, []podCase{
		{
			name: "1.36", spec: onWindows + volume + image, options: version("1.36"),
			want: []string{"error" + at + fix},
		},
		{
			name: "1.35", spec: onWindows + volume + image, options: version("1.35"),
			want: []string{"warning" + at + unless + fix},
		},
		{name: "no version", spec: onWindows + volume + image, want: []string{"warning" + at + unless + fix}},
		{name: "1.32", spec: onWindows + volume + image, options: version("1.32")},
		{name: "Linux pods", spec: onLin + volume + image, options: version("1.36")},
		{name: "not known", spec: onWindows + "volumes: [$unknown]\n" + image, options: version("1.36")},
	})
}

func TestStorageClassesOnAKS(t *testing.T) {
	t.Parallel()
	const (
		inTree = "AKS does not support volumes of this driver: use "
		ofAKS  = "AKS creates a StorageClass with this name, and overwrites changes: use another name (MK555)"
	)
	aks, at := on(topology.AKS), func(version string) preflight.Options {
		options := on(topology.AKS)
		options.KubernetesVersion = version
		return options
	}
	for _, tt := range []struct {
		name, provisioner string
		options           preflight.Options
		want              []string
	}{
		{"fast", "kubernetes.io/azure-disk", aks, []string{
			`provisioner: "kubernetes.io/azure-disk": ` + inTree + "disk.csi.azure.com (MK554)",
		}},
		{"fast", "kubernetes.io/azure-file", aks, []string{
			`provisioner: "kubernetes.io/azure-file": ` + inTree + "file.csi.azure.com (MK554)",
		}},
		{"fast", "kubernetes.io/azure-file", on(topology.EKS), nil},
		{"fast", "file.csi.azure.com", aks, nil},
		{"fast", "$unknown", aks, nil},
		{"azurefile-csi", "file.csi.azure.com", aks, []string{`metadata.name: "azurefile-csi": ` + ofAKS}},
		{"$secret-azurefile-csi", "file.csi.azure.com", aks, []string{"metadata.name: [secret]: " + ofAKS}},
		{"azurefile-csi", "file.csi.azure.com", on(""), nil},
		{"managed-csi-premium-v2", "disk.csi.azure.com", at("1.35"), []string{
			`metadata.name: "managed-csi-premium-v2": ` + ofAKS,
		}},
		{"managed-csi-premium-v2", "disk.csi.azure.com", at("1.34"), nil},
		{"$unknown", "disk.csi.azure.com", aks, nil},
	} {
		class := fromYAML(t, "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: "+tt.name+
			"}, provisioner: "+tt.provisioner+"}")[0]
		wantFindings(t, class, tt.options, "MK55", tt.want...)
	}
}

func TestTridentOnWindowsNodes(t *testing.T) {
	t.Parallel()
	const missing = "the Windows nodes do not get the driver csi.trident.netapp.io: set windows to true if Windows " +
		"pods have volumes of Trident (MK556)"
	for _, tt := range []struct {
		spec    string
		options preflight.Options
		want    []string
	}{
		{"{namespace: trident}", on(""), []string{"spec.windows: " + missing}},
		{"{windows: false}", on(""), []string{"spec.windows: false: " + missing}},
		{"{windows: true}", on(""), nil},
		{"{windows: $unknown}", on(""), nil},
		{"$unknown", on(""), nil},
		{"{}", v136, nil},
	} {
		object := fromYAML(t, "{apiVersion: trident.netapp.io/v1, kind: TridentOrchestrator, metadata: {name: "+
			"trident}, spec: "+tt.spec+"}")[0]
		wantFindings(t, object, tt.options, "MK556", tt.want...)
	}
}
