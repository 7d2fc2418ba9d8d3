package aks

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
)

// complete sets arguments that are left out to the values of the existing cluster, and checks the arguments again. It
// returns the new findings.
func (c *construction) complete() ([]rule.Finding, error) {
	before, err := c.check()
	if err != nil {
		return nil, err
	}
	args, options := c.args, c.options
	c.ownNetwork, c.ownPools = args.Network, args.Pools
	var found []rule.Finding
	var entraID any
	if c.existing.found {
		found = c.moved(&args)
		c.keepNetwork(&args.Network)
		args.WindowsAdmin.Username = cmp.Or(args.WindowsAdmin.Username, c.existing.WindowsUsername())
	}
	if c.existing.IsTakenOver() {
		c.keepRest(&args)
		if args.Options == nil || args.Options.AadProfile == nil {
			entraID = c.existing.EntraID()
		}
	}
	c.clusterSpec = args.withDefaults(c.name)
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

// moved completes the pools, and sets the versions that an auto-upgrade channel has moved to.
func (c *construction) moved(args *ClusterArgs) []rule.Finding {
	known := c.known()
	moved, found := plan.Moved(topology.Topology{
		KubernetesVersion: args.KubernetesVersion,
		Pools:             plan.WithRetained(args.Pools, known.PoolOptions, c.existing.InAzure),
	}, known, c.existing.InAzure)
	args.KubernetesVersion, args.Pools = moved.KubernetesVersion, moved.Pools
	return found
}

// keepNetwork completes the network. The subnets are for new pools: see [construction.networkOf].
func (c *construction) keepNetwork(network *Network) {
	inAzure := c.existing.Network()
	network.Mode = cmp.Or(network.Mode, inAzure.Mode)
	network.Policy = cmp.Or(network.Policy, inAzure.Policy)
	network.OutboundType = cmp.Or(network.OutboundType, inAzure.OutboundType)
	if !c.existing.IsTakenOver() {
		return
	}
	if network.NodeSubnetID == nil {
		network.NodeSubnetID = text(inAzure.NodeSubnetID)
	}
	if network.PodSubnetID == nil && network.Mode == inAzure.Mode {
		network.PodSubnetID = text(inAzure.PodSubnetID)
	}
}

// keepRest completes the other arguments that a program can leave out for a cluster that it takes over.
func (c *construction) keepRest(args *ClusterArgs) {
	admin := &args.WindowsAdmin
	admin.LicenseType = cmp.Or(admin.LicenseType, c.existing.LicenseType)
	admin.GMSA = cmp.Or(admin.GMSA, c.existing.GMSA)
	args.APIServer.Private = args.APIServer.Private || c.existing.IsPrivate()
}

// networkOf returns the network for a pool. A pool that keeps its name in Azure has its own subnets there, which can
// differ from those of other pools.
func (c construction) networkOf(pool topology.Pool) Network {
	if _, exists := c.existing.Versions[c.PoolOptions[pool.Name].NameInAzure]; exists {
		return c.ownNetwork
	}
	return c.Network
}
