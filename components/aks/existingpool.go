package aks

import (
	"errors"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// PoolArgs are the arguments of [ExistingCluster.NewNodePool], and a pool of [ExistingArgs]. They do not include
// settings that the cluster determines.
type PoolArgs struct {
	// Pool is the pool. If it has no version of Kubernetes, Azure gives its nodes the version of the
	// cluster, and the program leaves later upgrades to others.
	Pool topology.Pool `pulumi:"pool"`

	// PoolOptions are settings that a [topology.Pool] does not have. The default subnets are those of
	// the first pool of the cluster that has subnets.
	PoolOptions

	// Tags are put on the pool, with mixedkube-pool-of, which marks it as a pool of the program. Tags
	// of Options replace them. The default is the tags of the cluster.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Ignore are the IDs of rules whose findings must not stop the program, in addition to those of
	// the cluster.
	Ignore []string `pulumi:"ignore,optional"`
}

// NewNodePool creates a pool in the cluster, or takes one over: see [PoolOptions.NameInAzure]. It checks the pool, and
// whether the cluster can have it. The package's documentation describes what later changes do.
//
// The error lists everything that is wrong, with field paths; paths below "inAzure" are fields of the cluster in Azure.
// Nothing is registered then.
func (c *ExistingCluster) NewNodePool(
	ctx *pulumi.Context, name string, args *PoolArgs, opts ...pulumi.ResourceOption,
) (*NodePool, error) {
	if args == nil {
		args = &PoolArgs{}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	checked, err := c.check(name, *args, opts)
	if err != nil {
		return nil, err
	}
	return c.register(ctx, checked)
}

// newPools creates the pools of the arguments if all of them are valid.
func (c *ExistingCluster) newPools(ctx *pulumi.Context) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var all []checkedPool
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.args.Pools)) {
		checked, err := c.check(name, c.args.Pools[name], nil)
		all, errs = append(all, checked), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, checked := range all {
		if _, err := c.register(ctx, checked); err != nil {
			return err
		}
	}
	return nil
}

// checkedPool is a valid pool, with the findings about it.
type checkedPool struct {
	nodePool

	findings []rule.Finding
	split    childoptions.Options
}

// check checks a pool, and adds a valid one to the declared pools of the cluster.
func (c *ExistingCluster) check(name string, args PoolArgs, opts []pulumi.ResourceOption) (checkedPool, error) {
	n, moved := c.nodePool(name, args)
	split, wrong := n.reached().Split(append([]pulumi.ResourceOption{pulumi.Parent(c)}, opts...))
	known, err := c.knownOptions(n, split)
	if err != nil {
		return checkedPool{}, err
	}
	findings, err := c.checkPool(n, known, moved, wrong)
	if err != nil {
		return checkedPool{}, err
	}
	c.declared[n.options.nameInAzure(n.pool.Pool)] = n.registered
	return checkedPool{n, findings, split}, nil
}

func (c *ExistingCluster) register(ctx *pulumi.Context, n checkedPool) (*NodePool, error) {
	n.after = slices.Clone(c.last)
	made, ordered, err := n.register(ctx, n.findings, n.split)
	if err != nil {
		return nil, err
	}
	if ordered {
		c.last = []pulumi.Resource{made.AgentPool}
	}
	return made, nil
}

// knownOptions returns the known options of the pool, and whether its resource has an import or an alias: its own, or
// one that it inherits from its component or from the component of the cluster.
func (c *ExistingCluster) knownOptions(n nodePool, split childoptions.Options) (plan.PoolOptions, error) {
	known := n.options.known()
	own, err := pulumi.NewResourceOptions(split.Main(split.Component...)...)
	if err != nil {
		return known, err
	}
	cluster, err := pulumi.NewResourceOptions(c.split.Component...)
	known.Resource = known.Resource || own.Import != nil || len(own.Aliases) > 0 ||
		err == nil && len(cluster.Aliases) > 0
	return known, err
}

// nodePool completes a pool from the cluster. It also returns findings about a version that an auto-upgrade channel has
// moved.
func (c *ExistingCluster) nodePool(name string, args PoolArgs) (nodePool, []rule.Finding) {
	n := nodePool{
		name: name, own: args.Pool, options: args.PoolOptions, tags: args.Tags, ownTags: object(args.Tags),
		retry: c.args.Retry, group: c.ResourceGroupName, cluster: c.ClusterName,
		ignored: slices.Concat(c.args.Ignore, args.Ignore),
	}
	known := args.known()
	pool := plan.WithRetained(asInAzure(args.Pool), map[string]plan.PoolOptions{args.Pool.Name: known},
		c.existing.InAzure)[0]
	pool, moved := c.existing.MovedPool(pool, known)
	version := c.existing.KubernetesVersion()
	if inAzure, ok := c.existing.Pool(known.Name(pool)); ok {
		version = inAzure.KubernetesVersion
	}
	n.pool = completed(pool, version)
	network := c.existing.NetworkOf(known.Name(n.pool.Pool))
	n.network = Network{
		Mode: network.Mode, Policy: network.Policy, OutboundType: network.OutboundType,
		NodeSubnetID: text(network.NodeSubnetID), PodSubnetID: text(network.PodSubnetID),
	}
	n.inPlace = c.existing.IgnoredInPlace(n.pool.Pool, known)
	n.registered = plan.Registered(n.pool.Pool, known, network.Mode)
	if o := n.options.Options; o != nil && o.Tags != nil {
		// The tags of azure-native's arguments take precedence, as for the pools of NewCluster.
		without := *o
		n.tags, without.Tags = o.Tags, nil
		n.options.Options = &without
	}
	if n.tags == nil {
		n.tags = pulumi.ToStringMap(c.existing.PoolTags(c.owner))
	} else {
		n.tags = addTags(n.tags, map[string]string{plan.OwnerTag: c.owner})
	}
	return n, moved
}

// text returns a text as an input, nil if it is empty.
func text(s string) pulumi.StringInput {
	if s == "" {
		return nil
	}
	return pulumi.String(s)
}

// checkPool returns the findings about a pool that do not stop the program, or an error with all findings that do.
func (c *ExistingCluster) checkPool(
	n nodePool, known plan.PoolOptions, moved []rule.Finding, wrong field.ErrorList,
) ([]rule.Finding, error) {
	control := c.existing.KubernetesVersion()
	errs := slices.Concat(wrong, n.pool.Validate(control, field.NewPath("pool")), n.options.plainOptions(nil))
	found := plan.CheckJoining(plan.Pool{
		KubernetesVersion: control, Pool: n.pool.DefaultedPool, Network: n.network.known(), Options: known,
		Tags: n.ownTags, Today: clock.Today(),
	}, c.existing.InAzure, c.existing.place, c.owner, c.others(known.Name(n.pool.Pool)))
	return refusal.Sift(n.subject(), plan.Rules(), n.ignored, append(moved, found...), errs)
}

// others returns the names of all pools of the topology, except the pool with this name in Azure.
func (c *ExistingCluster) others(inAzure string) []string {
	declared := maps.Clone(c.declared)
	// The pool counts with an empty name, which no pool can have.
	declared[inAzure] = topology.Pool{}
	var names []string
	for _, p := range c.existing.Topology(c.owner, declared).Pools {
		names = append(names, p.Name)
	}
	return names
}
