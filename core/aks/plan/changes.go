package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var changeRefused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK780", Severity: rule.Error, Title: "a change of a cluster that Azure refuses",
		Page: rulepages.AKSExisting,
		Reason: "Kubernetes is never downgraded, and upgraded by one minor version at a time, except with long-term " +
			"support. With an auto-upgrade channel, the control plane is not upgraded alone. An API server becomes " +
			"private later only with API Server VNet Integration. The integration and the OIDC issuer are never " +
			"turned off, and a stopped cluster only starts.",
		Source: aks + "upgrade-aks-control-plane, " + aks + "upgrade-node-pools, " + aks + "auto-upgrade-cluster, " +
			aks + "private-clusters, " + aks + "api-server-vnet-integration, " + aks + "use-oidc-issuer, " + aks +
			"start-stop-cluster",
	},
	Checks: []engine.Check{
		engine.On(takeovers, refusedVersions), engine.On(takeovers, refusedOptions),
	},
}

func refusedVersions(t taken) []rule.Problem {
	if t.inAzure.Properties == nil {
		return nil
	}
	plan := option(t.Options, supportPlan)
	if plan == nil {
		plan = option(t.inAzure.Properties, supportPlan)
	}
	compare := func(path, have, want string, mayStep bool) []rule.Problem {
		from, known := kubeversion.Parse(have)
		to, isVersion := kubeversion.Parse(want)
		if !known || !isVersion {
			return nil
		}
		found := rule.Problem{Path: path, Value: want}
		switch {
		case to.Compare(from) < 0:
			found.Detail, found.Fix = "older than in Azure, which has "+have, "use "+from.String()+" or newer"
		case !mayStep && to.Major == from.Major && to.Minor > from.Minor+1:
			found.Detail = fmt.Sprintf("more than one minor version newer than in Azure, which has %s", have)
			found.Fix = fmt.Sprintf("use %d.%d first", from.Major, from.Minor+1)
		default:
			return nil
		}
		return []rule.Problem{found}
	}
	found := compare("kubernetesVersion", t.inAzure.KubernetesVersion(), t.Topology.KubernetesVersion,
		mayBeLongTerm(plan))
	for i, p := range t.Topology.Pools {
		have, exists := t.inAzure.Versions[t.PoolOptions[p.Name].Name(p)]
		if !exists || p.KubernetesVersion == "" || len(found) > 0 &&
			p.KubernetesVersion == t.Topology.KubernetesVersion {
			continue
		}
		// A pool follows its control plane, however many versions that is.
		found = append(found,
			compare(fmt.Sprintf("pools[%d].kubernetesVersion", i), have, p.KubernetesVersion, true)...)
	}
	channel := channel(t.Options, t.inAzure)
	if len(found) == 0 && channel != "" && isOlder(t.inAzure.KubernetesVersion(), t.Topology.KubernetesVersion) {
		found = append(found, rule.Problem{
			Severity: rule.Warning, Path: "kubernetesVersion", Value: t.Topology.KubernetesVersion,
			Detail: fmt.Sprintf("the control plane would be upgraded before its pools, and has the auto-upgrade "+
				"channel %s",
				channel),
			Fix: "leave the upgrade to the channel, or remove it for this update",
		})
	}
	return found
}

func refusedOptions(t taken) []rule.Problem {
	has := t.inAzure.Properties
	if has == nil {
		return nil
	}
	var found []rule.Problem
	const issuer = "oidcIssuerProfile.enabled"
	integrated := slices.Contains([]any{option(t.Options, integration), option(has, integration)}, any(true))
	if t.APIServer.Private && !t.inAzure.IsPrivate() && !integrated {
		found = append(found, rule.Problem{
			Path: "apiServer.private", Value: true,
			Detail: "the API server in Azure is public, and has no VNet integration",
			Fix:    "set options." + integration + " too, or create another cluster",
		})
	}
	for _, path := range []string{integration, issuer} {
		if option(t.Options, path) == false && isTrue(option(has, path)) {
			found = append(found, rule.Problem{
				Path: "options." + path, Value: false, Detail: "it is true in Azure, and stays so", Fix: "remove it",
			})
		}
	}
	if open(option(has, "powerState.code")) == "Stopped" {
		found = append(found, rule.Problem{
			Severity: rule.Warning, Path: ofAzure + "powerState.code", Value: "Stopped",
			Detail: "Azure changes nothing in a stopped cluster", Fix: "start it first, with az aks start",
		})
	}
	return found
}
