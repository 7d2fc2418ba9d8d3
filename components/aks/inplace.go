package aks

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
)

// changeInPlace makes the changes of pools that azure-native cannot send, before azure-native sends the same values. It
// returns the resources that the cluster and each pool have to wait for, by the name of the pool.
//
// There is one command for each property, so that a change is an update of its command and of no other.
func (c construction) changeInPlace() (map[string][]pulumi.Resource, error) {
	made := map[string][]pulumi.Resource{}
	if !c.AzureCLI {
		return made, nil
	}
	for _, pool := range c.Pools {
		options := c.PoolOptions[pool.Name]
		if options.Change != InPlace {
			continue
		}
		for _, change := range c.existing.InPlaceCommands(pool, options.known(), c.place()) {
			command, err := c.inPlaceCommand(pool, change)
			if err != nil {
				return nil, err
			}
			made[pool.Name] = append(made[pool.Name], command)
		}
	}
	return made, nil
}

// inlineAfter returns what the cluster has to wait for: the changes of its inline pool.
func (c construction) inlineAfter(inPlace map[string][]pulumi.Resource) []pulumi.Resource {
	pool, _ := c.inline(c.first)
	return inPlace[pool.Name]
}

func (c construction) inPlaceCommand(pool topology.Pool, change plan.InPlaceCommand) (pulumi.Resource, error) {
	update, environment := run(change.Command, plan.GroupVariable, c.cluster.ResourceGroupName)
	create := doNothing
	if change.Differs {
		create = update
	}
	return local.NewCommand(c.ctx, c.name+"-"+pool.Name+"-"+change.Name, &local.CommandArgs{
		Create: create, Update: update, Environment: environment,
	}, c.parent(), onlyOnceCreated, c.retried())
}
