package aks

import (
	"fmt"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

const nodePoolToken = "mixedkube:aks:NodePool"

// NodePool is a pool of a cluster that another program or tool created.
type NodePool struct {
	pulumi.ResourceState

	// AgentPool is the resource of the pool.
	AgentPool *containerservice.AgentPool
	// Pool is the pool as its nodes register: with the labels and taints that AKS adds.
	Pool topology.Pool
	// ID is the resource ID of the pool.
	ID pulumi.IDOutput
	// Name is the pool's name in Azure.
	Name pulumi.StringOutput `pulumi:"name"`
}

// NewNodePool creates a pool in a cluster that another program or tool created. The package's documentation describes
// what later changes do.
//
// Options for a single resource, such as [pulumi.IgnoreChanges], [pulumi.Timeouts] and [pulumi.Import], and
// aliases of its type, apply to azure-native's resource of the pool.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing is registered then. The
// program's log warns of settings that are unwise or that this library does not know.
func NewNodePool(
	ctx *pulumi.Context, name string, args *NodePoolArgs, opts ...pulumi.ResourceOption,
) (*NodePool, error) {
	if args == nil {
		args = &NodePoolArgs{}
	}
	spec := *args
	spec.KubernetesVersion = kubeversion.Unprefixed(args.KubernetesVersion)
	pool := completed(asInAzure(args.Pool)[0], spec.KubernetesVersion)
	n := nodePool{
		name: name, own: args.Pool, pool: pool, options: spec.PoolOptions, network: spec.Network, tags: spec.Tags,
		group: spec.ResourceGroupName, cluster: spec.ClusterName, retry: spec.Retry, ignored: spec.Ignore,
		registered: plan.Registered(pool.Pool, spec.known(), spec.Network.Mode),
	}
	split, errs := n.reached().Split(opts)
	if _, ok := kubeversion.Parse(spec.KubernetesVersion); !ok && spec.KubernetesVersion != "" {
		errs = append(errs, field.Invalid(field.NewPath("kubernetesVersion"), args.KubernetesVersion,
			"not a Kubernetes version: write 1.36 or 1.36.3"))
	}
	if spec.Change == InPlace {
		errs = append(errs, field.Forbidden(field.NewPath("change"),
			"this component does not look the pool up: use aks.Existing for a pool that changes in place"))
	}
	for _, name := range []struct {
		path string
		in   pulumi.StringInput
	}{{"resourceGroupName", spec.ResourceGroupName}, {"clusterName", spec.ClusterName}} {
		if name.in == nil {
			errs = append(errs, field.Required(field.NewPath(name.path), "name the cluster of the pool"))
		}
	}
	errs = append(errs, pool.Validate(spec.KubernetesVersion, field.NewPath("pool"))...)
	errs = append(errs, spec.plainOptions(nil)...)
	errs = append(errs, spec.Retry.Validate(field.NewPath("retry"))...)
	found := plan.CheckPool(plan.Pool{
		KubernetesVersion: spec.KubernetesVersion, Pool: pool.DefaultedPool,
		Network: spec.Network.known(), Options: spec.known(), Tags: object(spec.Tags),
		Today: clock.Today(),
	})
	findings, err := refusal.Sift(n.subject(), plan.Rules(), spec.Ignore, found, errs)
	if err != nil {
		return nil, err
	}
	made, _, err := n.register(ctx, findings, split)
	return made, err
}

// nodePool is a pool of a cluster that another program or tool created.
type nodePool struct {
	name string
	// own is the pool as the program has written it.
	own  topology.Pool
	pool completedPool
	// registered is the pool as its nodes register.
	registered topology.Pool
	options    PoolOptions
	network    Network
	tags       pulumi.StringMapInput
	// ownTags are the known tags of the program's arguments.
	ownTags        map[string]any
	group, cluster pulumi.StringInput
	retry          Retry
	// ignored are the IDs of rules whose findings must not stop the program.
	ignored []string
	// inPlace are the properties whose changes the resource ignores, because they change in place.
	inPlace []string
	// after are the pools that must exist before this one, if pools must be created one after the other.
	after []pulumi.Resource
}

// subject names the pool in errors.
func (n nodePool) subject() string { return fmt.Sprintf("%s %q", nodePoolToken, n.name) }

// resource returns the name of azure-native's resource of the pool.
func (n nodePool) resource() string { return n.name + "-" + n.options.nameInAzure(n.pool.Pool) }

// register registers the component and the pool, and logs the findings. It reports whether the next pool has to wait
// for this one.
func (n nodePool) register(
	ctx *pulumi.Context, findings []rule.Finding, split childoptions.Options,
) (made *NodePool, ordered bool, err error) {
	p := &NodePool{Pool: n.registered}
	if err := ctx.RegisterComponentResource(nodePoolToken, n.name, p, split.Component...); err != nil {
		return nil, false, err
	}
	if err := refusal.Log(ctx, p, findings); err != nil {
		return nil, false, err
	}
	if n, err = n.watched(ctx); err != nil {
		return nil, false, err
	}
	pool := n.pool.desired()
	desired := agentPool(retained(pool, n.own, n.options), n.options, n.network, n.tags)
	desired.ResourceGroupName, desired.ResourceName = n.group, n.cluster
	busy, err := newRetries(ctx, p, n.retry)
	if err != nil {
		return nil, false, err
	}
	own := []pulumi.ResourceOption{pulumi.Parent(p), busy.retried(), pulumi.IgnoreChanges(n.inPlace)}
	if ordered = busy.ordered(desired); ordered {
		own = append(own, pulumi.DependsOn(n.after))
	}
	p.AgentPool, err = newAgentPool(ctx, n.resource(), pool, n.options, desired,
		split.Main(own...)...)
	if err != nil {
		return nil, false, err
	}
	p.ID = p.AgentPool.ID()
	p.Name = p.AgentPool.Name
	return p, ordered, ctx.RegisterResourceOutputs(p, pulumi.Map{"id": p.ID, "poolID": p.ID, "name": p.Name})
}
