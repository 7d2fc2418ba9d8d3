package plan

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var openAPIServer = engine.Rule{
	Rule: rule.Rule{
		ID: "MK668", Severity: rule.Info, Title: "an API server that everyone can connect to", Page: rulepages.Kubeadm,
		Reason: "By default, the security group lets all addresses connect to the API server. Then only the " +
			"certificates of its clients protect it: a leaked credential works from everywhere, and so does an " +
			"attack on a flaw of the API server.",
		Fix: "set the addresses that need it, with those of the machines that run Pulumi, or set " +
			"apiServer.private",
		Source: "https://kubernetes.io/docs/concepts/security/controlling-access/, " + securityGroupsPage,
	},
	Checks: []engine.Check{engine.On(reachable, openToAll)},
}

func openToAll(c reach) []rule.Problem {
	if c.APIServer.Private {
		return nil
	}
	path := field.NewPath("apiServer", "authorizedIPRanges")
	p := rule.Problem{Detail: "everyone on the internet can connect to the API server"}
	var found []rule.Problem
	for i, client := range c.clients() {
		switch prefix, err := netip.ParsePrefix(client); {
		case client == internet:
			p.Path, p.Detail = path.String(), "not set, so "+p.Detail
		case err == nil && prefix.Addr().Is4() && prefix.Bits() == 0:
			p.Path, p.Value = path.Index(i).String(), client
		default:
			continue
		}
		found = append(found, p)
	}
	return found
}
