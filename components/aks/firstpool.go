package aks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azure"
)

// firstPool is the pool that the cluster began with.
type firstPool struct {
	// original is its name in Azure.
	original string
	// pool is the pool of that name, unless left.
	pool topology.Pool
	// left says that the program has been without that pool once.
	left bool
}

// rememberFirstPool asks the stack's state for the pool that the cluster began
// with. A component has no memory of its own, and cannot ask Azure: in its first
// preview there is nothing to ask.
//
// Both values depend on nothing but the program, so waiting for them is like
// calling a function of the engine.
func rememberFirstPool(ctx *pulumi.Context, name string, s clusterSpec, parent pulumi.ResourceOption) (firstPool, error) {
	now := azure.PoolName(s.Pools[s.firstSystemPool()])
	ignoreInput := pulumi.IgnoreChanges([]string{"input"})
	began, err := pulumi.NewStash(ctx, name+"-first-pool", &pulumi.StashArgs{Input: pulumi.String(now)}, parent, ignoreInput)
	if err != nil {
		return firstPool{}, err
	}
	first := firstPool{original: remembered(ctx, began, now)}
	i := slices.IndexFunc(s.Pools, func(p topology.Pool) bool { return azure.PoolName(p) == first.original })
	if i >= 0 {
		first.pool = s.Pools[i]
	}

	// Replaced as soon as that pool is gone, and never again: so a pool that comes
	// with the same name later does not pass for it.
	gone := i < 0
	opts := []pulumi.ResourceOption{parent, pulumi.ReplaceOnChanges([]string{"input"})}
	if !gone {
		opts = append(opts, ignoreInput)
	}
	left, err := pulumi.NewStash(ctx, name+"-first-pool-left", &pulumi.StashArgs{Input: pulumi.Bool(gone)}, opts...)
	if err != nil {
		return firstPool{}, err
	}
	first.left = remembered(ctx, left, gone)
	return first, nil
}

// remembered is what a stash was first given, or now where that is not known.
func remembered[T any](ctx *pulumi.Context, stash *pulumi.Stash, now T) T {
	result, err := internals.UnsafeAwaitOutput(ctx.Context(), stash.Output)
	if value, ok := result.Value.(T); ok && err == nil && result.Known {
		return value
	}
	return now
}

// inline is the pool that the cluster has inline, if it has one.
func (f firstPool) inline() (topology.Pool, bool) { return f.pool, !f.left }

func (f firstPool) isInline(p topology.Pool) bool { return !f.left && p.Name == f.pool.Name }

// retire removes the pool that the cluster began with when the program has left it, and
// the pools that are there instead are ready. Without the Azure CLI it says what to do.
func (f firstPool) retire(
	ctx *pulumi.Context, name string, s clusterSpec, cluster *containerservice.ManagedCluster, group pulumi.StringInput,
	ready []pulumi.Resource, parent pulumi.ResourceOption,
) error {
	if !s.AzureCLI {
		if f.left && ctx.DryRun() {
			group.ToStringOutput().ApplyT(func(group string) error {
				return ctx.Log.Warn(fmt.Sprintf("the cluster began with the pool %s, which the program has no longer, and Pulumi cannot remove it: "+
					`when the new pools are there, run az aks nodepool delete --resource-group "%s" --cluster-name "%s" --name %s, if you have not yet`,
					f.original, group, s.ClusterName, f.original), &pulumi.LogArgs{Resource: cluster})
			})
		}
		return nil
	}
	// There from the beginning, so that the change is an update of it. Unlike
	// `az aks nodepool delete`, this does not fail if the pool is gone already.
	run := pulumi.String(doNothing).ToStringOutput()
	if f.left {
		run = pulumi.Sprintf(`az resource delete --ids "%s/agentPools/%s" --output none`, cluster.ID(), f.original)
	}
	_, err := local.NewCommand(ctx, name+"-first-pool-removal", &local.CommandArgs{Create: run, Update: run},
		parent, pulumi.DependsOn(ready))
	return err
}

// doNothing is a command that every shell has.
const doNothing = "exit 0"

// firstSystemPool is the index of the first pool of mode System, or -1.
func (s clusterSpec) firstSystemPool() int {
	return slices.IndexFunc(s.Pools, func(p topology.Pool) bool { return p.Mode == topology.System })
}
