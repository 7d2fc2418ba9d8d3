package volumes

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var sharedDiskRules = []engine.Rule{diskOfBoth}

var diskOfBoth = engine.Rule{
	Rule: rule.Rule{
		ID: "MK553", Severity: rule.Error, Title: "a disk that Windows and Linux pods mount", Page: rulepages.Disks,
		Reason: "A disk has one file system, and the two operating systems have none in common that the drivers " +
			"format. The pods of one of them wait for the volume forever, because they find another file system on " +
			"it, or because the disk is attached to a node of the other one. The rule knows the disks of Azure, AWS, " +
			"Google Cloud and vSphere, and is a warning if the operating system is a guess, or if a workload may " +
			"have no replicas. Both can mount one SMB share.",
		Fix: "use a claim for each operating system, or an SMB share",
		Source: "https://learn.microsoft.com/azure/aks/concepts-storage#persistent-volumes (cannot be shared by " +
			"Windows and Linux pods due to differences in file system support)",
	},
	Checks: []engine.Check{engine.On(collection.SharedClaims, func(o *collection.Object) []rule.Problem {
		volume, class := o.Bound()
		at := "StorageClass"
		if volume != nil {
			at, class = "PersistentVolume", volume
		}
		if mode := tree.At(o.Tree, "spec", "volumeMode"); mode != nil && mode != "Filesystem" {
			return nil // Windows pods cannot use it at all
		}
		if !isDisk(volume, class) {
			return nil
		}
		users := o.Users()
		found := rule.Problem{
			Path: "metadata.name", Value: nameOf(o.Tree),
			Detail: fmt.Sprintf("leads to the %s %v, a disk, and is mounted by Windows pods (%s) and by Linux pods "+
				"(%s)",
				at, nameOf(class), users.Windows, users.Linux),
		}
		if !users.Certain {
			found.Severity = rule.Warning
		}
		return []rule.Problem{found}
	})},
}

var (
	diskDrivers = []string{azureDisk, "ebs.csi.aws.com", "pd.csi.storage.gke.io"}
	// diskProvisioners are the names that classes have had for the drivers in Kubernetes itself, and diskVolumes the
	// fields of PersistentVolumes. The drivers of today replace them.
	diskProvisioners = []string{
		"kubernetes.io/azure-disk", "kubernetes.io/aws-ebs", "kubernetes.io/gce-pd", "kubernetes.io/vsphere-volume",
	}
	diskVolumes = []string{"azureDisk", "awsElasticBlockStore", "gcePersistentDisk", "vsphereVolume"}
)

// isDisk reports whether a PersistentVolume is a disk or, if it is nil, whether a StorageClass provisions disks.
func isDisk(volume, class map[string]any) bool {
	if volume == nil {
		driver, _ := tree.Text(class["provisioner"])
		return slices.Contains(diskDrivers, driver) || slices.Contains(diskProvisioners, driver)
	}
	spec := tree.Map(volume["spec"])
	driver, _ := tree.Text(tree.At(spec, "csi", "driver"))
	return slices.Contains(diskDrivers, driver) ||
		slices.ContainsFunc(diskVolumes, func(source string) bool { return pods.IsSet(spec, source) })
}
