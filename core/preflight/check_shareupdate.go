package preflight

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

var accountBeforeUpdate = rule.Rule{
	ID: "MK544", Severity: rule.Warning, Title: "a Group Managed Service Account on nodes without the update for it",
	Reason: "With containerd, containers on Windows Server 2019 have the identity of a Group Managed Service " +
		"Account, " +
		"and still do not reach network shares with it, until the node has the update of March 2021, KB5000822: " +
		"build 17763.1817. A share's host name also needs the registry value EnableCompartmentNamespace on the node, " +
		"which the rule cannot see. It checks pools whose reported.osVersion is known.",
	Source: "https://github.com/kubernetes/website/pull/27131, which adds the build to the page on gMSA and removes " +
		"the limitation; https://github.com/microsoft/Windows-Containers/issues/44; " +
		"https://github.com/kubernetes-sigs/windows-gmsa/issues/30",
}

// sharesOn2019 is the revision of Windows Server 2019 in which containers of containerd reach network shares as a
// Group Managed Service Account (https://github.com/kubernetes/website/pull/27131). The source names no build of other
// releases.
const sharesOn2019 = 1817

// accountWithoutShares reports the Group Managed Service Accounts of pods that land on nodes from before the update.
func (c *check) accountWithoutShares(p *judged, answer placement.Placement) {
	if p.HostProcess() {
		return // it has an account of the node
	}
	var host string
	names := landsOn(answer, func(v *placement.Verdict) bool {
		version := v.Pool.Reported.OSVersion
		revision, known := platform.WindowsServer2019.Revision(version)
		if !known || revision >= sharesOn2019 {
			return false
		}
		host = version
		return true
	})
	if len(names) == 0 {
		return
	}
	report := func(ctr *pods.Container, options map[string]any) {
		for _, name := range []string{"gmsaCredentialSpecName", "gmsaCredentialSpec"} {
			if !pods.IsSet(options, name) {
				continue
			}
			found := rule.Problem{
				Path: p.windowsOption(ctr, name),
				Detail: fmt.Sprintf("the %s can land on %s, whose nodes have %s: with containerd, their containers do "+
					"not reach network shares with the account", p.KindName(), pools(names), host),
				Fix: fmt.Sprintf("update the nodes to %s.%d (KB5000822) or newer",
					platform.WindowsServer2019.Build(), sharesOn2019),
			}
			if name == "gmsaCredentialSpecName" { // the specification itself is not shown
				found.Value = options[name]
			}
			c.report(accountBeforeUpdate, found)
			return
		}
	}
	report(nil, p.Windows)
	for i := range p.Containers {
		report(&p.Containers[i], p.Containers[i].Windows)
	}
}
