package aks

import (
	"fmt"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/aks/plan"
)

// runsErrorHooks are the versions of Pulumi whose engine does
// (https://github.com/pulumi/pulumi/releases/tag/v3.217.0). With an older one the SDK would
// leave out each resource that has a hook, without an error, and Pulumi would delete it.
const runsErrorHooks = ">=3.217.0"

// conflicts is what a component does about Azure's answers that it is busy.
type conflicts struct {
	// hook repeats operations. It is nil under the SDK's mocks, which cannot register one.
	hook *pulumi.ErrorHook
	// oneByOne says that nothing is repeated, so that no two operations may overlap.
	oneByOne bool
}

// newConflicts registers the hook of a component. All its resources share the hook, and its
// name is the same in each run: Pulumi looks for the name when it deletes a resource that
// the program has no longer.
func newConflicts(ctx *pulumi.Context, component pulumi.Resource, patience plan.Patience) (conflicts, error) {
	if ctx.RunningWithMocks() {
		return conflicts{}, nil
	}
	if err := ctx.RequirePulumiVersion(runsErrorHooks); err != nil {
		return conflicts{oneByOne: true}, ctx.Log.Info(fmt.Sprintf(
			"this Pulumi repeats nothing that Azure refuses because it is busy, so that pools are made one by one: %v",
			err), &pulumi.LogArgs{Resource: component})
	}
	urn, err := internals.UnsafeAwaitOutput(ctx.Context(), component.URN())
	if err != nil {
		return conflicts{}, err
	}
	// Two components can have the same name, but no two the same URN.
	hook, err := ctx.RegisterErrorHook(fmt.Sprint(urn.Value), repeat(patience, func(message string) {
		// A hook must not fail: Pulumi would show its error in the place of Azure's.
		_ = ctx.Log.Info(message, &pulumi.LogArgs{Resource: component})
	}))
	return conflicts{hook: hook}, err
}

// repeat is a hook that waits, and has the operation repeated. It never returns an error.
func repeat(patience plan.Patience, log func(message string)) pulumi.ErrorHookFunction {
	return func(args *pulumi.ErrorHookArgs) (bool, error) {
		repetition, ok := patience.After(plan.Failure{
			Resource: string(args.URN), Operation: args.FailedOperation, Errors: args.Errors,
		})
		if !ok {
			return false, nil
		}
		log(fmt.Sprintf("%s of %s: Azure is busy (%s): repetition %d in %s", args.FailedOperation, args.Name,
			repetition.Answer, repetition.Number, repetition.Pause.Round(time.Millisecond)))
		time.Sleep(repetition.Pause)
		return true, nil
	}
}

// repeated has the operations of a resource repeated.
func (c conflicts) repeated() pulumi.ResourceOption {
	if c.hook == nil {
		return pulumi.Composite()
	}
	return pulumi.ResourceHooks(&pulumi.ResourceHookBinding{OnError: []*pulumi.ErrorHook{c.hook}})
}
