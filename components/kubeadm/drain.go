package kubeadm

import (
	"context"
	"slices"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/drain"
	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// newNodes stores the names of the nodes of all pools in a resource. The resource is updated when
// all new nodes are Ready (after contains them), and before Pulumi deletes the nodes that are no
// longer in the program. A hook drains these just before the update: those that are in the state and
// not in the program, whatever a node says about itself. If that fails, nothing is deleted. A hook
// of the deletion itself would keep `pulumi destroy` from working without the program.
func (c construction) newNodes(after []pulumi.Resource) error {
	timeouts := map[string]time.Duration{}
	nodes := drain.Nodes{
		Timeout: func(node string) time.Duration { return timeouts[plan.PoolOf(node)] },
		Log: func(message string) {
			// A failure to log is not a reason to stop.
			_ = c.ctx.Log.Info(escape.Lines(message), &pulumi.LogArgs{Resource: c.cluster})
		},
	}
	for name, pool := range c.cluster.Pools {
		for machine := range pool.Machines {
			nodes.Names = append(nodes.Names, machine)
		}
		timeouts[name] = time.Duration(pool.Pool.Upgrade.DrainTimeoutMinutes) * time.Minute
	}
	slices.Sort(nodes.Names)
	hook, err := c.hooks.register(c.ctx, "drain", func(ctx context.Context, _ *pulumi.ResourceHookArgs) error {
		record, err := recordOf(ctx, c.joined.record)
		if err != nil {
			return err
		}
		nodes := nodes
		nodes.Before = record.Nodes(func(node string) string {
			return machine{resource: machineResource(c.poolName(plan.PoolOf(node)), node)}.nodeResource()
		})
		return c.tokens.api.with(ctx, func(api *kubeapi.Client) error { return nodes.DrainLeaving(ctx, api) })
	}, nil)
	if err != nil {
		return err
	}
	var hooks pulumi.ResourceHookBinding
	if hook != nil {
		hooks.BeforeCreate, hooks.BeforeUpdate = []*pulumi.ResourceHook{hook}, []*pulumi.ResourceHook{hook}
	}
	_, err = pulumi.NewStash(c.ctx, c.name+"-node-names", &pulumi.StashArgs{Input: pulumi.ToStringArray(nodes.Names)},
		c.parent(), pulumi.DependsOn(after), pulumi.ResourceHooks(&hooks))
	return err
}
