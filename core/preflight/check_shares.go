package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	shareOfTwoVolumes = rule.Rule{
		ID: "MK531", Severity: rule.Warning, Title: "two volumes for one share on Windows",
		Reason: "Windows connects a share once for the whole node, with one user. A second PersistentVolume for the " +
			"same share with another volumeHandle or another Secret makes the driver connect it again: if pods of " +
			"both run on one node, mounting fails (New-SmbGlobalMapping: the user name or password is incorrect), or " +
			"uses the other one's user. The rule checks PersistentVolumes of claims that Windows pods mount.",
		Source: "https://github.com/kubernetes-sigs/azurefile-csi-driver/issues/1610, " +
			"https://github.com/kubernetes-csi/csi-driver-smb/blob/master/deploy/example/pv-smb.yaml",
	}
	handleOfTwoShares = rule.Rule{
		ID: "MK539", Severity: rule.Warning, Title: "one volumeHandle for two shares",
		Reason: "The kubelet identifies a volume by its driver and volumeHandle. It treats two PersistentVolumes " +
			"with the same handle as one volume: if pods of both run on one node, Linux or Windows, the later pods " +
			"see the share of the first.",
		Source: "https://github.com/kubernetes-csi/csi-driver-smb/issues/675, " +
			"https://github.com/kubernetes-csi/csi-driver-smb/blob/master/deploy/example/pv-smb.yaml",
	}
)

// share is the location of an SMB volume.
type share struct{ driver, host, path string }

// shareOf returns the share of a volume. It returns false for a volume that is not a share or is unknown. If only a
// Secret names an account of Azure, the name of the Secret is used.
func shareOf(volume map[string]any) (share, bool) {
	csi := tree.Map(tree.At(volume, "spec", "csi"))
	driver, _ := tree.Text(csi["driver"])
	attributes := tree.Map(csi["volumeAttributes"])
	// The drivers ignore the case of attribute names.
	text := func(key string) string {
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			if strings.EqualFold(name, key) {
				value, _ := tree.Text(attributes[name])
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

// secretOf returns the name of the Secret with the user of a volume, or "" if there is none. It returns false if the
// name is unknown.
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

// shared is a PersistentVolume on a share.
type shared struct {
	share

	name   any
	handle string
	// user is the Secret with the user, and userKnown is whether it is known.
	user      string
	userKnown bool
}

// sharedOf reads a volume. It returns false for a volume that is not a share or is unknown.
func sharedOf(volume map[string]any) (shared, bool) {
	csi := tree.Map(tree.At(volume, "spec", "csi"))
	s := shared{name: tree.At(volume, "metadata", "name")}
	var is, known bool
	s.share, is = shareOf(volume)
	s.handle, known = tree.Text(csi["volumeHandle"])
	s.user, s.userKnown = secretOf(csi)
	return s, is && known
}

// shares returns the volumes on shares, sorted by name.
func (s *storage) shares() []shared {
	var all []shared
	for _, name := range slices.Sorted(maps.Keys(s.volumes)) {
		if volume, is := sharedOf(s.volumes[name].tree()); is {
			all = append(all, volume)
		}
	}
	return all
}

// sharesAcross compares a PersistentVolume with the others of its driver.
func (c *check) sharesAcross(a *Collection) {
	own, ok := sharedOf(c.object)
	if !ok {
		return
	}
	var twice, mixed any // the names of the first ones
	for _, other := range slices.Backward(a.shares()) {
		anotherUser := own.userKnown && other.userKnown && other.user != own.user
		switch {
		case other.share == own.share && (other.handle != own.handle || anotherUser):
			twice = other.name
		case other.driver == own.driver && other.path != own.path && other.handle == own.handle:
			mixed = other.name
		}
	}
	handle := tree.At(c.object, "spec", "csi", "volumeHandle")
	if mixed != nil {
		c.report(handleOfTwoShares, rule.Problem{
			Path: "spec.csi.volumeHandle", Value: handle,
			Detail: fmt.Sprintf("the PersistentVolume %v has the same handle and another share", mixed),
			Fix:    "give each share a handle of its own",
		})
	}
	if name, _ := tree.Text(own.name); twice != nil && name != "" && a.mounted()[name] {
		c.report(shareOfTwoVolumes, rule.Problem{
			Path: "spec.csi.volumeHandle", Value: handle,
			Detail: fmt.Sprintf("the PersistentVolume %v has the same share with another handle or Secret", twice),
			Fix:    "give both the same volumeHandle and Secret, or let the pods share one claim",
		})
	}
}

// mountedOnWindows returns the names of the volumes whose claims Windows pods mount.
func (a *Collection) mountedOnWindows() map[string]bool {
	mounted := map[string]bool{}
	for _, w := range a.workloads {
		if !w.hasNamespace || w.os != platform.WindowsOS {
			continue
		}
		for _, claim := range w.claims {
			key := claimKey(w.namespace, claim)
			bound, _ := tree.Text(tree.At(a.disks.claims[key].tree(), "spec", "volumeName"))
			claimed, _ := tree.Text(tree.At(a.disks.claimed[key].tree(), "metadata", "name"))
			mounted[bound], mounted[claimed] = true, true
		}
	}
	return mounted
}
