package aks

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
)

// complete takes what the arguments leave out from a cluster that is there, and checks them again. It
// returns what is new to say.
func (c *construction) complete() ([]rule.Finding, error) {
	before, err := c.check()
	if err != nil {
		return nil, err
	}
	given, options := c.given, c.options
	c.said = given.Network
	var found []rule.Finding
	var entraID any
	if c.there.found {
		found = c.moved(&given)
		c.keepNetwork(&given.Network)
		given.WindowsAdmin.Username = cmp.Or(given.WindowsAdmin.Username, c.there.WindowsUsername())
	}
	if c.there.IsTakenOver() {
		c.keepRest(&given)
		if given.Options == nil || given.Options.AadProfile == nil {
			entraID = c.there.EntraID()
		}
	}
	c.clusterSpec = given.withDefaults(c.name)
	c.options, c.entraID = options, entraID
	c.cluster.Topology = c.registered()
	now, err := c.check()
	for _, f := range now {
		if !slices.ContainsFunc(before, f.SameAs) {
			found = append(found, f)
		}
	}
	return found, err
}

// moved completes the pools, and takes the versions that an auto-upgrade channel has moved to.
func (c *construction) moved(given *ClusterArgs) []rule.Finding {
	known := c.known()
	known.Topology = topology.Topology{
		KubernetesVersion: given.KubernetesVersion,
		Pools:             plan.WithKept(given.Pools, known.PoolOptions, c.there.InAzure),
	}
	moved, found := plan.Moved(known, c.there.InAzure)
	given.KubernetesVersion, given.Pools = moved.KubernetesVersion, moved.Pools
	return found
}

// keepNetwork completes the network. The subnets are for new pools: see [construction.networkOf].
func (c *construction) keepNetwork(given *Network) {
	there := c.there.Network()
	given.Mode = cmp.Or(given.Mode, there.Mode)
	given.Policy = cmp.Or(given.Policy, there.Policy)
	given.OutboundType = cmp.Or(given.OutboundType, there.OutboundType)
	if !c.there.IsTakenOver() {
		return
	}
	if given.NodeSubnetID == nil {
		given.NodeSubnetID = text(there.NodeSubnetID)
	}
	if given.PodSubnetID == nil && given.Mode == there.Mode {
		given.PodSubnetID = text(there.PodSubnetID)
	}
}

// keepRest completes what else a program can leave out of a cluster that it takes over.
func (c *construction) keepRest(given *ClusterArgs) {
	admin := &given.WindowsAdmin
	admin.LicenseType = cmp.Or(admin.LicenseType, c.there.LicenseType)
	admin.GMSA = cmp.Or(admin.GMSA, c.there.GMSA)
	given.APIServer.Private = given.APIServer.Private || c.there.IsPrivate()
}

// networkOf is the network for a pool. One that keeps its name in Azure has its own subnets there, which
// need not be those of other pools.
func (c construction) networkOf(pool topology.Pool) Network {
	if _, there := c.there.Versions[c.PoolOptions[pool.Name].NameInAzure]; there {
		return c.said
	}
	return c.Network
}
