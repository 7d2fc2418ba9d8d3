package plan

import (
	"cmp"
	"fmt"
	"net/netip"

	"github.com/mixedkube/mixedkube/core/rule"
)

var openAPIServer = rule.Rule{
	ID: "MK770", Severity: rule.Info, Title: "an API server that everyone can connect to",
	Reason: "By default, AKS accepts connections to the API server from all addresses. Then only the login protects " +
		"it: a leaked credential works from everywhere, and so does an attack on a flaw of the API server.",
	Source: authorizedPage + ", " + aks + "private-clusters",
}

// CheckReach returns a finding if everyone can connect to the API server. It is for a cluster that was looked up: one
// that the program takes over stays private without an argument.
func CheckReach(c Cluster, a InAzure) []rule.Finding {
	const access = "publicNetworkAccess"
	public := cmp.Or(option(c.Options, access), option(a.Properties, access))
	if c.APIServer.Private || public != nil && public != "Enabled" {
		return nil
	}
	run := &check{}
	p := rule.Problem{
		Detail: "everyone on the internet can connect to the API server",
		Fix: "set the addresses that need it, with those of the machines that run Pulumi, or set " +
			"apiServer.private",
	}
	if len(c.APIServer.AuthorizedIPRanges) == 0 {
		p.Path, p.Detail = authorizedIPRanges, "not set, so "+p.Detail
		run.Report(openAPIServer, p)
	}
	for i, r := range c.APIServer.AuthorizedIPRanges {
		if prefix, err := netip.ParsePrefix(r); err == nil && prefix.Addr().Is4() && prefix.Bits() == 0 {
			p.Path, p.Value = fmt.Sprintf("%s[%d]", authorizedIPRanges, i), r
			run.Report(openAPIServer, p)
		}
	}
	return run.Findings
}
