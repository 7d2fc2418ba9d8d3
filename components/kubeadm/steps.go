package kubeadm

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// missing is a step in the replacement of a key, and whether no earlier update has completed it.
type missing struct {
	plan.Step

	is bool
}

// stepsNeeded returns the steps that earlier updates must have completed, each a [missing]. The
// stack remembers a step by a resource that an update creates last ([construction.rememberSteps]);
// a later update only checks that the resource exists. A hook prevents its creation in case no
// preview has refused the step.
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
		now, stored, err := s.rememberStep(ctx, step, parent, pulumi.ResourceHooks(&hooked))
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, stored.ApplyT(func(before any) missing { return missing{step, before == now} }))
	}
	return outputs, nil
}

// refuseSteps returns an error if steps are missing, unless the cluster is new.
func (s clusterSpec) refuseSteps(newCluster bool, steps []plan.Step) error {
	if newCluster {
		return nil
	}
	_, err := refusal.Sift(s.subject(), plan.Rules(), s.Ignore, s.azure.Keys.CheckSteps(steps), nil)
	return err
}

// rememberSteps stores the steps that this update completes in the stack, once the resources in
// after exist.
func (c construction) rememberSteps(after []pulumi.Resource) error {
	for _, step := range c.azure.Keys.StepsReached() {
		if _, _, err := c.rememberStep(c.ctx, step, c.parent(), pulumi.DependsOn(after)); err != nil {
			return err
		}
	}
	return nil
}

// rememberStep stores a step in the stack. It returns the input of the resource in this run, and
// its output, which equals its first input.
func (s clusterSpec) rememberStep(
	ctx *pulumi.Context, step plan.Step, opts ...pulumi.ResourceOption,
) (string, pulumi.Output, error) {
	now, err := generateSecret()
	if err != nil {
		return "", nil, err
	}
	stored, err := keepFirst(ctx, fmt.Sprintf("%s-keys-%s", s.name, step), pulumi.String(now), opts...)
	return now, stored, err
}
