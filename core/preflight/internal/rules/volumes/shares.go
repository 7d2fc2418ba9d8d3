package volumes

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var shareRules = []engine.Rule{shareOfTwoVolumes, handleOfTwoShares}

var shareOfTwoVolumes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK531", Severity: rule.Warning, Title: "two volumes for one share on Windows", Page: rulepages.Storage,
		Reason: "Windows connects a share once for the whole node, with one user. A second PersistentVolume for the " +
			"same share with another volumeHandle or another Secret makes the driver connect it again: if pods of " +
			"both run on one node, mounting fails (New-SmbGlobalMapping: the user name or password is incorrect), or " +
			"uses the other one's user. The rule checks PersistentVolumes of claims that Windows pods mount.",
		Fix: "give both the same volumeHandle and Secret, or let the pods share one claim",
		Source: "https://github.com/kubernetes-sigs/azurefile-csi-driver/issues/1610, " +
			"https://github.com/kubernetes-csi/csi-driver-smb/blob/master/deploy/example/pv-smb.yaml",
	},
	Checks: []engine.Check{engine.On(collection.PersistentVolumes, func(o *collection.Object) []rule.Problem {
		if !o.MountedOnWindows() {
			return nil
		}
		twice := o.SameShare()
		if twice == nil {
			return nil
		}
		return atHandle(o, "the PersistentVolume %v has the same share with another handle or Secret", twice)
	})},
}

var handleOfTwoShares = engine.Rule{
	Rule: rule.Rule{
		ID: "MK539", Severity: rule.Warning, Title: "one volumeHandle for two shares", Page: rulepages.Storage,
		Reason: "The kubelet identifies a volume by its driver and volumeHandle. It treats two PersistentVolumes " +
			"with the same handle as one volume: if pods of both run on one node, Linux or Windows, the later pods " +
			"see the share of the first.",
		Fix: "give each share a handle of its own",
		Source: "https://github.com/kubernetes-csi/csi-driver-smb/issues/675, " +
			"https://github.com/kubernetes-csi/csi-driver-smb/blob/master/deploy/example/pv-smb.yaml",
	},
	Checks: []engine.Check{engine.On(collection.PersistentVolumes, func(o *collection.Object) []rule.Problem {
		mixed := o.SameHandle()
		if mixed == nil {
			return nil
		}
		return atHandle(o, "the PersistentVolume %v has the same handle and another share", mixed)
	})},
}

// atHandle returns the problem with the handle of a volume, because of another one with a name.
func atHandle(o *collection.Object, format string, name any) []rule.Problem {
	return []rule.Problem{{
		Path: "spec.csi.volumeHandle", Value: tree.At(o.Tree, "spec", "csi", "volumeHandle"),
		Detail: fmt.Sprintf(format, name),
	}}
}
