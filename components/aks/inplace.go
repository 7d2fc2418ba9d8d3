package aks

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
)

// changeInPlace makes the changes of a pool that azure-native cannot send, after those that it can send. There is one
// command for each property, so that a change is an update of its command and of no other. The variable
// [afterVariable] describes the pool in Azure: it runs a command that has not succeeded again, even if the program has
// returned to the value that the command had before.
//
// Objects of the cluster do not wait for the commands: a drain ends sooner if the program relaxes a budget meanwhile,
// and pods for another release get their nodes during it.
func (c construction) changeInPlace(pool topology.Pool, made pulumi.Resource) error {
	options := c.PoolOptions[pool.Name]
	if options.Change != InPlace || !c.AzureCLI {
		return nil
	}
	after := made
	for _, change := range c.existing.InPlaceCommands(pool, options.known(), c.place()) {
		update, environment := run(change.Command, plan.GroupVariable, c.cluster.ResourceGroupName)
		create := doNothing
		opts := []pulumi.ResourceOption{
			c.parent(), onlyOnceCreated, c.retried(), pulumi.DependsOn([]pulumi.Resource{after}),
		}
		if change.Differs == "" {
			// The variable keeps its value, so nothing happens to a pool that has its properties.
			opts = append(opts, pulumi.IgnoreChanges([]string{"environment." + afterVariable}))
		} else {
			create = update
			environment[afterVariable] = pulumi.String(change.Differs)
		}
		command, err := local.NewCommand(c.ctx, c.name+"-"+pool.Name+"-"+change.Name, &local.CommandArgs{
			Create: create, Update: update, Environment: environment,
		}, opts...)
		if err != nil {
			return err
		}
		after = command
	}
	return nil
}
