package aks

import (
	"runtime"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
)

// inline returns the inline pool of the cluster, if it has one.
func (s clusterSpec) inline(first plan.FirstPool) (topology.DefaultedPool, bool) {
	for _, p := range s.topology.DefaultedPools() {
		if s.nameInAzure(p.Pool) == first.Inline {
			return p, true
		}
	}
	return topology.DefaultedPool{}, false
}

// changeFirstPool makes the changes of the first pool that the cluster resource cannot make: another version of
// Kubernetes, and the removal of a pool that is no longer in the program, once the pools that replace it are ready.
//
// The commands exist from the beginning, so that a change is an update of them.
func (c construction) changeFirstPool(ready []pulumi.Resource) error {
	// Azure makes one change of a cluster at a time, and az gives up if Azure is busy. The commands come last,
	// when there are the fewest reasons to retry them.
	after := pulumi.DependsOn(ready)
	if pool, ok := c.inline(c.first); ok && pool.KubernetesVersion != "" {
		command := plan.UpgradeCommand(c.first.Inline, pool.KubernetesVersion, c.place())
		upgrade, environment := run(command, plan.GroupVariable, c.cluster.ResourceGroupName)
		create := doNothing
		if c.existing.IsOlder(pool.Pool, c.first.Inline) {
			create = upgrade
		}
		_, err := local.NewCommand(c.ctx, c.name+"-first-pool-upgrade", &local.CommandArgs{
			Create: create, Update: upgrade, Environment: environment,
		}, c.parent(), after, onlyOnceCreated, c.retried())
		if err != nil {
			return err
		}
	}
	args := &local.CommandArgs{Create: doNothing, Update: doNothing}
	if c.first.Left != "" {
		remove, environment := run(plan.RemoveCommand(""), plan.PoolIDVariable,
			poolID(c.cluster.Cluster, c.first.Left))
		args = &local.CommandArgs{Create: remove, Update: remove, Environment: environment}
	}
	_, err := local.NewCommand(c.ctx, c.name+"-first-pool-removal", args, c.parent(), after, c.retried())
	return err
}

// onlyOnceCreated is for commands whose first run differs from later ones. The cluster may already exist at the first
// run: its creation may have failed halfway, and the program may have changed since or may not have used az until now.
var onlyOnceCreated = pulumi.IgnoreChanges([]string{"create"})

// afterVariable is a variable of commands, whose change runs a command again.
const afterVariable = "MIXEDKUBE_AFTER"

// doNothing is a command that every shell has.
const doNothing = pulumi.String("exit 0")

// place returns the place of the cluster, without the resource group.
func (s clusterSpec) place() plan.Place { return plan.Place{Cluster: s.ClusterName} }

// run returns a command for the shell of this machine, and its environment, in which the value of one variable is an
// output.
func run(c plan.Command, variable string, value pulumi.StringInput) (pulumi.String, pulumi.StringMap) {
	environment := pulumi.StringMap{}
	for name, text := range c.Environment {
		environment[name] = pulumi.String(text)
	}
	environment[variable] = value
	return pulumi.String(c.Text(runtime.GOOS)), environment
}

// poolID returns the resource ID of a pool of the cluster, by its name in Azure.
func poolID(cluster *containerservice.ManagedCluster, name string) pulumi.StringOutput {
	return pulumi.Sprintf("%s/agentPools/%s", cluster.ID(), name)
}
