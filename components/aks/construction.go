package aks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// construction is a cluster while it is created.
type construction struct {
	clusterSpec

	ctx     *pulumi.Context
	cluster *Cluster
	// existing is the cluster in Azure, and first the pool that it was created with.
	existing existing
	first    plan.FirstPool
	// ownNetwork is the network as the program sets it, without the subnets in Azure.
	ownNetwork Network
	// ownPools are the pools as the program sets them, if they were completed from those in Azure.
	ownPools []topology.Pool
	retries
}

func (c construction) parent() pulumi.ResourceOption { return pulumi.Parent(c.cluster) }

// build creates the cluster and its pools. It returns resources that are ready only when all of them are.
func (c construction) build() ([]pulumi.Resource, error) {
	if err := c.compare(); err != nil {
		return nil, err
	}
	desired, err := c.managedCluster(c.checkedGroup(c.cluster.ResourceGroupName))
	if err != nil {
		return nil, err
	}
	if c.retries, err = newRetries(c.ctx, c.cluster, c.Retry); err != nil {
		return nil, err
	}
	before := pulumi.ToOutput(withoutWindowsProfile(desired))
	c.cluster.Cluster, err = containerservice.NewManagedCluster(c.ctx, c.name+"-cluster", desired,
		c.options.Main(c.parent(), pulumi.Protect(!c.Unprotected),
			pulumi.IgnoreChanges(c.ignoredByCluster(desired)), c.retried())...)
	if err != nil {
		return nil, err
	}
	admin, err := c.changeWindowsAdmin(before)
	if err != nil {
		return nil, err
	}
	pools, err := c.newPools(admin)
	if err != nil {
		return nil, err
	}
	after := append(append([]pulumi.Resource{c.cluster.Cluster}, admin...), pools...)
	if c.AzureCLI {
		err = c.changeFirstPool(after)
	}
	return after, err
}

// compare looks up the existing cluster and completes the arguments from it. It logs the differences from the program
// that only the user can resolve.
func (c *construction) compare() error {
	var err error
	c.existing, err = lookUp(c.ctx, c.cluster.ResourceGroupName, c.ClusterName, pulumi.Parent(c.cluster))
	if err != nil {
		return fmt.Errorf("%s: %w", c.subject(), err)
	}
	found := rule.Findings(support.CheckFacts(clock.Today(), refusal.NewFacts(c.ctx, plan.UsedFacts())))
	if c.existing.found || c.mayExist && !c.existing.unknown {
		changed, err := c.complete()
		if err != nil {
			return err
		}
		found = append(found, changed...)
	}
	if c.first, err = plan.FirstPoolOf(c.Pools, c.poolOptions(), c.existing.Tags, c.existing.Pools()); err != nil {
		return fmt.Errorf("%s: clusterName: %q: %w", c.subject(), c.ClusterName, err)
	}
	c.cluster.Topology.Leaving = c.leaving()
	if c.existing.found || c.existing.unknown {
		found = append(found, plan.CheckOlderVersion(c.known())...)
	} else {
		found = append(found, plan.CheckCreation(c.known())...)
	}
	found = append(found, plan.CheckTakeover(c.known(), c.first, c.existing.InAzure, c.existing.place)...)
	if !c.existing.unknown {
		found = append(found, plan.CheckReach(c.known(), c.existing.InAzure)...)
	}
	if c.existing.found && !c.AzureCLI {
		found = append(found, plan.CheckInAzure(c.known(), c.first, c.existing.InAzure, c.existing.place)...)
	}
	rest, err := refusal.Sift(c.subject(), plan.Rules(), c.Ignore, found, nil)
	if err != nil {
		return err
	}
	return refusal.Log(c.ctx, c.cluster, rest)
}

// leaving returns the pools whose nodes this update drains, with their properties in Azure and with the desired ones:
// pods of earlier revisions are on the old nodes, and the program has pods for the new ones. The initial pool of the
// cluster stays unless a command removes it.
func (c *construction) leaving() (leaving []topology.Pool) {
	stays := c.first.Left
	if c.AzureCLI {
		stays = ""
	}
	leaving = c.existing.Leaving(c.Pools, c.poolOptions(), stays)
	for _, p := range c.cluster.Topology.Pools {
		if slices.ContainsFunc(leaving, func(old topology.Pool) bool { return old.Name == p.Name }) {
			leaving = append(leaving, p)
		}
	}
	return leaving
}

// own returns a pool as the program has written it.
func (c construction) own(name string) topology.Pool {
	pools := c.args.Pools
	if c.ownPools != nil {
		pools = c.ownPools
	}
	return pools[slices.IndexFunc(pools, func(p topology.Pool) bool { return p.Name == name })]
}

// newPools creates the pools, except the inline pool of the cluster.
func (c construction) newPools(admin []pulumi.Resource) ([]pulumi.Resource, error) {
	var pools []pulumi.Resource
	// last is the last of the pools that must be created one after the other.
	var last []pulumi.Resource
	for _, pool := range c.topology.DefaultedPools() {
		inAzure := c.nameInAzure(pool.Pool)
		if inAzure == c.first.Inline {
			if c.options.Aliased(poolType, c.name+"-"+inAzure) {
				return nil, fmt.Errorf("%s: opts.aliases: %q: the pool is inline in the cluster, and has no resource "+
					"of its own for the alias: remove the alias", c.subject(), pool.Name)
			}
			id := poolID(c.cluster.Cluster,
				inAzure).ApplyT(func(id string) pulumi.ID { return pulumi.ID(id) }).(pulumi.IDOutput)
			c.cluster.Pools[pool.Name] = ClusterPool{id, pulumi.String(inAzure).ToStringOutput(), c.cluster.Cluster}
			if err := c.changeInPlace(pool.Pool, c.cluster.Cluster); err != nil {
				return nil, err
			}
			continue
		}
		options := c.PoolOptions[pool.Name]
		desired := agentPool(retained(pool, c.own(pool.Name), options), options, c.networkOf(pool.Pool), c.Tags)
		desired.ResourceGroupName, desired.ResourceName = c.cluster.ResourceGroupName, c.cluster.Cluster.Name
		after := slices.Clone(admin)
		ordered := c.ordered(desired)
		if ordered {
			after = append(after, last...)
		}
		inPlace := pulumi.IgnoreChanges(c.existing.IgnoredInPlace(pool.Pool, options.known()))
		made, err := newAgentPool(c.ctx, c.name+"-"+inAzure, pool, options, desired,
			c.options.For(poolType, c.name+"-"+inAzure, c.parent(), pulumi.DependsOn(after),
				pulumi.DeletedWith(c.cluster.Cluster), c.retried(), inPlace)...)
		if err != nil {
			return nil, err
		}
		if ordered {
			last = []pulumi.Resource{made}
		}
		c.cluster.Pools[pool.Name] = ClusterPool{made.ID(), made.Name, made}
		if err := c.changeInPlace(pool.Pool, made); err != nil {
			return nil, err
		}
		pools = append(pools, made)
	}
	return pools, nil
}
