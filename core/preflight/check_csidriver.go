package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
)

var driverWithoutWindows = rule.Rule{
	ID: "MK541", Severity: rule.Warning, Title: "a CSI driver that does not run on Windows nodes",
	Reason: "According to its documentation or its maintainers, the driver's node plug-in needs Linux. The kubelet " +
		"of a Windows node does not find the driver (not found in the list of registered CSI drivers), and the pod " +
		"waits for its volume forever, whatever the file system. The driver of a claim is the driver of its " +
		"PersistentVolume, or the provisioner of its StorageClass, if those are among the objects.",
	Source: "https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html, " +
		"https://github.com/kubernetes-csi/csi-driver-nfs/issues/287, https://github.com/rook/rook/issues/11670, " +
		"https://longhorn.io/docs/1.11.1/deploy/install/ (open-iscsi and bash on each node)",
}

const useOtherDriver = "use a driver that runs on Windows, such as smb.csi.k8s.io, or run the pods on Linux nodes"

// onlyOnLinuxDrivers are CSI drivers that do not run on Windows according to their documentation or maintainers. The
// source of the rule has one address for each.
var onlyOnLinuxDrivers = [...]string{"efs.csi.aws.com", "nfs.csi.k8s.io", "driver.longhorn.io"}

// onlyOnLinuxDriver reports whether a CSI driver is known not to run on Windows. Rook prefixes the names of Ceph's
// drivers with the namespace of its operator.
func onlyOnLinuxDriver(name string) bool {
	return slices.Contains(onlyOnLinuxDrivers[:], name) ||
		strings.HasSuffix(name, ".rbd.csi.ceph.com") || strings.HasSuffix(name, ".cephfs.csi.ceph.com")
}

// detailOfDriver describes the problem with a driver, whose name may be secret.
func detailOfDriver(name any) string {
	return fmt.Sprintf("the CSI driver %v does not run on Windows nodes", name)
}
