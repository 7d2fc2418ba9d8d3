package aks

import (
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azure"
)

// inline is the pool that the cluster has inline, if it has one.
func (s clusterSpec) inline(first azure.FirstPool) (topology.Pool, bool) {
	i := slices.IndexFunc(s.Pools, func(p topology.Pool) bool { return azure.PoolName(p) == first.Inline })
	if i < 0 {
		return topology.Pool{}, false
	}
	return s.Pools[i], true
}

// changeFirstPool makes the changes of the pool that the cluster began with that the
// cluster resource cannot: another version of Kubernetes, and its removal once the
// program has left it and the pools that are there instead are ready.
//
// The commands are there from the beginning, so that a change is an update of them.
func changeFirstPool(
	ctx *pulumi.Context, name string, s clusterSpec, first azure.FirstPool, there existing, cluster *containerservice.ManagedCluster,
	group pulumi.StringOutput, admin, ready []pulumi.Resource, parent pulumi.ResourceOption,
) error {
	if pool, ok := s.inline(first); ok && pool.KubernetesVersion != "" {
		// Azure makes one change of a cluster at a time.
		after := pulumi.DependsOn(slices.Concat([]pulumi.Resource{cluster}, admin))
		upgrade := s.command(group, func(at azure.Place) string { return azure.UpgradeCommand(pool, at) })
		create := doNothing.ToStringOutput()
		if there.IsOlder(pool) {
			create = upgrade
		}
		_, err := local.NewCommand(ctx, name+"-first-pool-upgrade", &local.CommandArgs{Create: create, Update: upgrade},
			parent, after, onlyOnceCreated)
		if err != nil {
			return err
		}
	}
	run := doNothing.ToStringOutput()
	if first.Left != "" {
		// Unlike `az aks nodepool delete`, this does not fail if the pool is gone already.
		run = pulumi.Sprintf(`az resource delete --ids "%s/agentPools/%s" --output none`, cluster.ID(), first.Left)
	}
	_, err := local.NewCommand(ctx, name+"-first-pool-removal", &local.CommandArgs{Create: run, Update: run},
		parent, pulumi.DependsOn(ready))
	return err
}

// onlyOnceCreated is for commands that do another thing the first time, when the
// cluster may be there already: its creation may have failed in the middle, and the
// program may have changed since, or let az do nothing until now.
var onlyOnceCreated = pulumi.IgnoreChanges([]string{"create"})

// doNothing is a command that every shell has.
const doNothing = pulumi.String("exit 0")

// command is a command of the Azure CLI about the cluster.
func (s clusterSpec) command(group pulumi.StringOutput, of func(azure.Place) string) pulumi.StringOutput {
	return group.ApplyT(func(group string) string {
		return of(azure.Place{ResourceGroup: group, Cluster: s.ClusterName})
	}).(pulumi.StringOutput)
}
