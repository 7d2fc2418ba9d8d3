package volumes

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	landing "github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var shareUpdateRules = []engine.Rule{accountBeforeUpdate}

var accountBeforeUpdate = engine.Rule{
	Rule: rule.Rule{
		ID: "MK544", Severity: rule.Warning, Page: rulepages.GMSA,
		Title: "a Group Managed Service Account on nodes without the update for it",
		Reason: "With containerd, containers on Windows Server 2019 have the identity of a Group Managed Service " +
			"Account, and still do not reach network shares with it, until the node has the update of March 2021, " +
			"KB5000822: build 17763.1817. A share's host name also needs the registry value " +
			"EnableCompartmentNamespace on the node, which the rule cannot see. It checks pools whose " +
			"reported.osVersion is known.",
		Fix: fmt.Sprintf("update the nodes to %s.%d (KB5000822) or newer",
			platform.WindowsServer2019.Build(), sharesOn2019),
		Source: "https://github.com/kubernetes/website/pull/27131, which adds the build to the page on gMSA and " +
			"removes the limitation; https://github.com/microsoft/Windows-Containers/issues/44; " +
			"https://github.com/kubernetes-sigs/windows-gmsa/issues/30",
	},
	Silences: landing.Nowhere,
	Checks:   []engine.Check{engine.On(subject.Landing, accountsWithoutShares)},
}

// sharesOn2019 is the revision of Windows Server 2019 in which containers of containerd reach network shares as a
// Group Managed Service Account (https://github.com/kubernetes/website/pull/27131). The source names no build of other
// releases.
const sharesOn2019 = 1817

// accountsWithoutShares finds the Group Managed Service Accounts of pods that land on nodes from before the update.
// Host-process containers have an account of the node.
func accountsWithoutShares(p *subject.Pods) []rule.Problem {
	accounts := accountsOf(p)
	if len(accounts) == 0 || p.HostProcess() {
		return nil
	}
	var host string
	names := p.LandsOn(func(v *placement.Verdict) bool {
		version := v.Pool.Reported.OSVersion
		revision, known := platform.WindowsServer2019.Revision(version)
		if !known || revision >= sharesOn2019 {
			return false
		}
		host = version
		return true
	})
	if len(names) == 0 {
		return nil
	}
	for i := range accounts {
		accounts[i].Detail = fmt.Sprintf("the %s can land on %s, whose nodes have %s: with containerd, their "+
			"containers do not reach network shares with the account", p.KindName(), subject.ListPools(names), host)
	}
	return accounts
}

// accountsOf returns problems without a detail for the accounts of pods and of their containers. The specification of
// an account itself is not shown.
func accountsOf(p *subject.Pods) []rule.Problem {
	var all []rule.Problem
	for ctr, options := range p.AllWindowsOptions {
		if name := options["gmsaCredentialSpecName"]; name != nil {
			all = append(all, rule.Problem{Path: p.OptionPath(ctr, "gmsaCredentialSpecName"), Value: name})
		} else if pods.IsSet(options, "gmsaCredentialSpec") {
			all = append(all, rule.Problem{Path: p.OptionPath(ctr, "gmsaCredentialSpec")})
		}
	}
	return all
}
