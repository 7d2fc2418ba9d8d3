package kubeadm

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// missing is a step of the replacement of a key that no earlier update has completed.
type missing struct {
	plan.Step

	is bool
}

// stepsNeeded are the steps that earlier updates must have completed, each a [missing]. The stack
// remembers a step by a resource that an update makes last ([construction.rememberSteps]); a later
// one only checks whether it is there. A hook keeps it from being made where no preview has refused
// that.
func (s clusterSpec) stepsNeeded(
	ctx *pulumi.Context, hooks hookNames, first pulumi.Output, parent pulumi.ResourceOption,
) ([]any, error) {
	var outputs []any
	for _, step := range s.azure.Keys.StepsNeeded() {
		hook, err := hooks.register(ctx, "keys-"+step.String(),
			func(ctx context.Context, _ *pulumi.ResourceHookArgs) error {
				var o origin
				if err := valueOf(ctx, first, &o); err != nil {
					return err
				}
				return s.refuseSteps(o.isNew, []plan.Step{step})
			}, nil)
		if err != nil {
			return nil, err
		}
		var hooked pulumi.ResourceHookBinding
		if hook != nil {
			hooked.BeforeCreate = []*pulumi.ResourceHook{hook}
		}
		now, kept, err := s.rememberStep(ctx, step, parent, pulumi.ResourceHooks(&hooked))
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, kept.ApplyT(func(before any) missing { return missing{step, before == now} }))
	}
	return outputs, nil
}

// refuseSteps fails if steps are missing of a cluster that has been there before.
func (s clusterSpec) refuseSteps(newCluster bool, steps []plan.Step) error {
	if newCluster {
		return nil
	}
	_, err := refusal.Sift(s.subject(), plan.Rules(), s.Ignore, s.azure.Keys.CheckSteps(steps), nil)
	return err
}

// rememberSteps has the stack remember the steps that this update completes, when all that is
// after is there.
func (c construction) rememberSteps(after []pulumi.Resource) error {
	for _, step := range c.azure.Keys.StepsReached() {
		if _, _, err := c.rememberStep(c.ctx, step, c.parent(), pulumi.DependsOn(after)); err != nil {
			return err
		}
	}
	return nil
}

// rememberStep returns what the resource of a step is given now. Its output is what it was first
// given.
func (s clusterSpec) rememberStep(
	ctx *pulumi.Context, step plan.Step, opts ...pulumi.ResourceOption,
) (string, pulumi.Output, error) {
	now, err := drawSecret()
	if err != nil {
		return "", nil, err
	}
	kept, err := keepFirst(ctx, fmt.Sprintf("%s-keys-%s", s.name, step), pulumi.String(now), opts...)
	return now, kept, err
}
