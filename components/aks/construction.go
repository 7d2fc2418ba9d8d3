package aks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// construction is a cluster while it is made.
type construction struct {
	clusterSpec

	ctx     *pulumi.Context
	cluster *Cluster
	// there is what Azure has of it, and first the pool that it began with.
	there existing
	first plan.FirstPool
	// said is the network as the program says it.
	said Network
	retries
}

func (c construction) parent() pulumi.ResourceOption { return pulumi.Parent(c.cluster) }

// build makes the cluster and its pools. It returns what is there when they are.
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

// compare looks up what there is, completes the arguments with it, and says how it differs from the
// program where nobody but the user can change it.
func (c *construction) compare() error {
	var err error
	c.there, err = lookUp(c.ctx, c.cluster.ResourceGroupName, c.ClusterName, pulumi.Parent(c.cluster))
	if err != nil {
		return fmt.Errorf("%s: %w", c.subject(), err)
	}
	var found rule.Findings
	if c.there.found || c.mayExist && !c.there.unknown {
		if found, err = c.complete(); err != nil {
			return err
		}
	}
	if c.first, err = plan.FirstPoolOf(c.Pools, c.poolOptions(), c.there.Tags, c.there.Pools()); err != nil {
		return fmt.Errorf("%s: clusterName: %q: %w", c.subject(), c.ClusterName, err)
	}
	found = append(found, plan.CheckTakeover(c.known(), c.first, c.there.InAzure)...)
	if c.there.found && !c.AzureCLI {
		found = append(found, plan.CheckInAzure(c.known(), c.first, c.there.InAzure, c.there.place)...)
	}
	rest, err := refusal.Sift(c.subject(), plan.Rules(), c.Ignore, found, nil)
	if err != nil {
		return err
	}
	return refusal.Log(c.ctx, c.cluster, rest)
}

// newPools makes the pools but the one that the cluster has inline.
func (c construction) newPools(admin []pulumi.Resource) ([]pulumi.Resource, error) {
	var pools []pulumi.Resource
	// last is the last of the pools that must not be made at once.
	var last []pulumi.Resource
	for _, pool := range c.Pools {
		inAzure := c.nameInAzure(pool)
		if inAzure == c.first.Inline {
			if c.options.Aliased(poolType, c.name+"-"+inAzure) {
				return nil, fmt.Errorf("%s: opts.aliases: %q: the cluster has this pool inline, and no resource "+
					"of its own that could have the alias: remove the alias", c.subject(), pool.Name)
			}
			id := poolID(c.cluster.Cluster,
				inAzure).ApplyT(func(id string) pulumi.ID { return pulumi.ID(id) }).(pulumi.IDOutput)
			c.cluster.Pools[pool.Name] = ClusterPool{id, pulumi.String(inAzure).ToStringOutput(), c.cluster.Cluster}
			continue
		}
		desired := agentPool(pool, c.PoolOptions[pool.Name], c.networkOf(pool), c.Tags)
		desired.ResourceGroupName, desired.ResourceName = c.cluster.ResourceGroupName, c.cluster.Cluster.Name
		after := slices.Clone(admin)
		// Azure takes two new pools in one network, and fails one of them
		// (https://github.com/Azure/AKS/issues/4522): no hook can create that again.
		ordered := c.oneByOne || desired.VnetSubnetID != nil || desired.PodSubnetID != nil
		if ordered {
			after = append(after, last...)
		}
		made, err := newAgentPool(c.ctx, c.name+"-"+inAzure, pool, c.PoolOptions[pool.Name], desired,
			c.options.For(poolType, c.name+"-"+inAzure, c.parent(), pulumi.DependsOn(after),
				pulumi.DeletedWith(c.cluster.Cluster), c.retried())...)
		if err != nil {
			return nil, err
		}
		if ordered {
			last = []pulumi.Resource{made}
		}
		c.cluster.Pools[pool.Name] = ClusterPool{made.ID(), made.Name, made}
		pools = append(pools, made)
	}
	return pools, nil
}
