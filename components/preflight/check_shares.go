package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var (
	shareOfTwoVolumes = rule.Rule{
		ID: "MK531", Severity: rule.Warning, Title: "a share of two volumes on Windows",
		Reason: "Windows connects a share once for the whole node, with one user. A second PersistentVolume of the " +
			"same share with another volumeHandle or another Secret makes the driver connect it again: where pods of " +
			"both meet on a node, mounting fails (New-SmbGlobalMapping: the user name or password is incorrect), or " +
			"takes the other one's user. PersistentVolumes of claims that Windows pods mount are looked at.",
		Source: "https://github.com/kubernetes-sigs/azurefile-csi-driver/issues/1610, " +
			"https://github.com/kubernetes-csi/csi-driver-smb/blob/master/deploy/example/pv-smb.yaml",
	}
	handleOfTwoShares = rule.Rule{
		ID: "MK539", Severity: rule.Warning, Title: "a volumeHandle of two shares",
		Reason: "The kubelet knows a volume by its driver and volumeHandle. Two PersistentVolumes with the same " +
			"handle are one volume for it: where pods of both meet on a node, Linux or Windows, the second ones see " +
			"the share of the first.",
		Source: "https://github.com/kubernetes-csi/csi-driver-smb/issues/675, " +
			"https://github.com/kubernetes-csi/csi-driver-smb/blob/master/deploy/example/pv-smb.yaml",
	}
)

// share is where an SMB volume is.
type share struct{ driver, host, path string }

// shareOf reads it, false for a volume that is not a share or not known. An account of Azure that
// only a Secret names is taken from the Secret's name.
func shareOf(volume map[string]any) (share, bool) {
	csi := tree.Map(tree.At(volume, "spec", "csi"))
	driver, _ := tree.Text(csi["driver"])
	attributes := tree.Map(csi["volumeAttributes"])
	// The drivers take the names of attributes in any case.
	text := func(key string) string {
		for name, v := range attributes {
			if strings.EqualFold(name, key) {
				value, _ := tree.Text(v)
				return strings.ToLower(value)
			}
		}
		return ""
	}
	switch driver {
	case "smb.csi.k8s.io":
		source := strings.Trim(strings.ReplaceAll(text("source"), `\`, "/"), "/")
		return share{driver: driver, path: source + "/" + text("subdir")}, source != ""
	case "file.csi.azure.com":
		host := strings.Trim(text("server")+" "+text("storageaccount"), " ")
		if host == "" {
			host, _ = secretOf(csi)
		}
		return share{driver, host, text("sharename")}, text("sharename") != "" && host != ""
	}
	return share{}, false
}

// secretOf names the Secret with the user of a volume, "" for none; false if it is not known.
func secretOf(csi map[string]any) (string, bool) {
	secret := tree.Map(csi["nodeStageSecretRef"])
	name, _ := tree.Text(secret["name"])
	namespace, _ := tree.Text(secret["namespace"])
	known := !tree.IsUnknown(csi["nodeStageSecretRef"]) && !tree.IsUnknown(secret["name"]) &&
		!tree.IsUnknown(secret["namespace"])
	if name == "" {
		return "", known
	}
	return namespace + "/" + name, known
}

// sharesAcross compares a PersistentVolume with the others of its driver.
func (c *check) sharesAcross(a *Collection) {
	own, ok := shareOf(c.object)
	csi := tree.Map(tree.At(c.object, "spec", "csi"))
	handle, known := tree.Text(csi["volumeHandle"])
	if !ok || !known {
		return
	}
	user, userKnown := secretOf(csi)
	var twice, mixed any // the names of the first ones
	volumes := a.disks.volumes
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(volumes))) {
		volume := volumes[name]
		other := tree.Map(tree.At(volume, "spec", "csi"))
		where, ok := shareOf(volume)
		otherHandle, known := tree.Text(other["volumeHandle"])
		otherUser, otherKnown := secretOf(other)
		anotherUser := userKnown && otherKnown && otherUser != user
		switch {
		case !ok || !known:
		case where == own && (otherHandle != handle || anotherUser):
			twice = tree.At(volume, "metadata", "name")
		case where.driver == own.driver && where.path != own.path && otherHandle == handle:
			mixed = tree.At(volume, "metadata", "name")
		}
	}
	if mixed != nil {
		c.report(handleOfTwoShares, rule.Problem{
			Path: "spec.csi.volumeHandle", Value: csi["volumeHandle"],
			Detail: fmt.Sprintf("the PersistentVolume %v has the same handle and another share", mixed),
			Fix:    "give each share a handle of its own",
		})
	}
	if twice != nil && a.mountedOnWindows(c.object) {
		c.report(shareOfTwoVolumes, rule.Problem{
			Path: "spec.csi.volumeHandle", Value: csi["volumeHandle"],
			Detail: fmt.Sprintf("the PersistentVolume %v has the same share with another handle or Secret", twice),
			Fix:    "give both the same volumeHandle and Secret, or let the pods share one claim",
		})
	}
}

// mountedOnWindows says whether Windows pods mount a claim that a volume is for.
func (a *Collection) mountedOnWindows(volume map[string]any) bool {
	if a.onWindows == nil {
		a.onWindows = map[string]bool{}
		for _, w := range a.workloads {
			if !w.hasNamespace || w.os != platform.WindowsOS {
				continue
			}
			for _, claim := range w.claims {
				a.onWindows[claimKey(w.namespace, claim)] = true
			}
		}
	}
	name, _ := tree.Text(tree.At(volume, "metadata", "name"))
	for key := range a.onWindows {
		bound, _ := tree.Text(tree.At(a.disks.claims[key], "spec", "volumeName"))
		claimed, _ := tree.Text(tree.At(a.disks.claimed[key], "metadata", "name"))
		if name != "" && (bound == name || claimed == name) {
			return true
		}
	}
	return false
}
