package plan

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
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
	names := append(c.Releases.UsedFacts(pools, c.Network.Kind == network.FlannelVXLAN), "KubernetesEnds")
	if slices.ContainsFunc(pools, func(p topology.Pool) bool {
		image := c.PoolOptions[p.Name].Image
		if p.Name == ControlPlanePool {
			image = c.ControlPlane.Image
		}
		return usesUbuntu(p, image)
	}) {
		names = append(names, "UbuntuOffer")
	}
	return names
}

// UsedFacts returns the names of the facts in the arguments and their defaults.
func (j DefaultedJoining) UsedFacts() []string {
	names := append(j.Releases.UsedFacts([]topology.Pool{j.Pool}, j.Network.Kind == network.FlannelVXLAN),
		"KubernetesEnds")
	if usesUbuntu(j.Pool, j.PoolOptions.Image) {
		names = append(names, "UbuntuOffer")
	}
	return names
}

// usesUbuntu reports whether the machines of a pool have the default image of Linux.
func usesUbuntu(p topology.Pool, image Image) bool {
	return p.Platform == platform.Linux && image.or(p.Platform).Offer == defaultImages[platform.Linux].Offer
}
