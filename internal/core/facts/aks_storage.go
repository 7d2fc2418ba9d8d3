package facts

// StorageClass is a class that a cloud creates in each cluster.
type StorageClass struct {
	Name, Provisioner string
	// Protocol is the one with which nodes mount the volumes, "" for disks.
	Protocol string
	// Since is the first minor version of Kubernetes that has the class, "" if all supported ones have it.
	Since string
}

// AKSStorageClasses are the StorageClasses that AKS creates. Those of a driver exist only if it is enabled. A driver
// formats disks with the file system of the node: ext4 on Linux, ntfs on Windows.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/concepts-storage#storage-classes
var AKSStorageClasses = []StorageClass{
	{Name: "default", Provisioner: "disk.csi.azure.com"},
	{Name: "managed-csi", Provisioner: "disk.csi.azure.com"},
	{Name: "managed-csi-premium", Provisioner: "disk.csi.azure.com"},
	{Name: "managed-csi-premium-v2", Provisioner: "disk.csi.azure.com", Since: "1.35"},
	{Name: "azurefile-csi", Provisioner: "file.csi.azure.com", Protocol: "smb"},
	{Name: "azurefile-csi-premium", Provisioner: "file.csi.azure.com", Protocol: "smb"},
	{Name: "azureblob-nfs-premium", Provisioner: "blob.csi.azure.com", Protocol: "nfs"},
	{Name: "azureblob-fuse-premium", Provisioner: "blob.csi.azure.com", Protocol: "fuse"},
}
