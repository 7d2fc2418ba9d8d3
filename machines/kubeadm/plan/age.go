package plan

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var factsOld = engine.Rule{
	Rule: rule.Rule{
		ID: "MK676", Severity: rule.Info, Title: "facts about machines that are more than half a year old",
		Page: rulepages.Kubeadm, Reason: aged.Reason, Source: ownSource,
	},
	Checks: []engine.Check{engine.On(aged.Uses, aged.Problems)},
}

// UsedFacts returns the names of the facts in the arguments and their defaults.
func (c Defaulted) UsedFacts() []string {
	pools := c.Topology().Pools
	return usedFacts(c.Releases, c.Network, pools, func(p topology.Pool) Image {
		if p.Name == ControlPlanePool {
			return c.ControlPlane.Image
		}
		return c.PoolOptions[p.Name].Image
	})
}

// UsedFacts returns the names of the facts in the arguments and their defaults.
func (j DefaultedJoining) UsedFacts() []string {
	return usedFacts(j.Releases, j.Network, []topology.Pool{j.Pool}, func(topology.Pool) Image {
		return j.PoolOptions.Image
	})
}

func usedFacts(
	r bootstrap.Releases, n network.Defaulted, pools []topology.Pool, image func(p topology.Pool) Image,
) []string {
	names := append(r.UsedFacts(pools, n.Kind == network.FlannelVXLAN), lives.UsedBy("machines/kubeadm/plan")...)
	if !slices.ContainsFunc(pools, func(p topology.Pool) bool {
		return p.Platform == platform.Linux && image(p).or(p.Platform).Offer == defaultImages[platform.Linux].Offer
	}) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "UbuntuOffer" })
	}
	return names
}
