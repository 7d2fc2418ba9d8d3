package plan

import (
	"cmp"
	"fmt"
	"net/netip"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var openAPIServer = engine.Rule{
	Rule: rule.Rule{
		ID: "MK770", Severity: rule.Info, Title: "an API server that everyone can connect to",
		Page: rulepages.AKS,
		Reason: "By default, AKS accepts connections to the API server from all addresses. Then only the login " +
			"protects it: a leaked credential works from everywhere, and so does an attack on a flaw of the API " +
			"server.",
		Fix: "set the addresses that need it, with those of the machines that run Pulumi, or set " +
			"apiServer.private",
		Source: authorizedPage + ", " + aks + "private-clusters",
	},
	Checks: []engine.Check{engine.On(reachable, openToAll)},
}

func openToAll(c reach) []rule.Problem {
	const access = "publicNetworkAccess"
	public := cmp.Or(option(c.Options, access), option(c.inAzure.Properties, access))
	if c.APIServer.Private || public != nil && public != "Enabled" {
		return nil
	}
	const everyone = "everyone on the internet can connect to the API server"
	if len(c.APIServer.AuthorizedIPRanges) == 0 {
		return []rule.Problem{{Path: authorizedIPRanges, Detail: "not set, so " + everyone}}
	}
	var found []rule.Problem
	for i, r := range c.APIServer.AuthorizedIPRanges {
		if prefix, err := netip.ParsePrefix(r); err == nil && prefix.Addr().Is4() && prefix.Bits() == 0 {
			found = append(found, rule.Problem{
				Path: fmt.Sprintf("%s[%d]", authorizedIPRanges, i), Value: r, Detail: everyone,
			})
		}
	}
	return found
}
