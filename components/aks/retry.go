package aks

import (
	"fmt"
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// runsErrorHooks is the range of versions of Pulumi whose engine runs error hooks
// (https://github.com/pulumi/pulumi/releases/tag/v3.217.0). With an older version, the SDK would silently leave out
// every resource that has a hook, and Pulumi would delete it.
const runsErrorHooks = ">=3.217.0"

// retriesChanges is the range of versions that run error hooks after every failure. Older ones run them after failed
// deletions, but after a failed creation or update only if it left something behind
// (https://github.com/pulumi/pulumi/pull/23347), which is not so if Azure is busy.
const retriesChanges = ">=3.244.0"

// retries determines what a component does when Azure answers that it is busy.
type retries struct {
	// hook retries operations. It is nil under the SDK's mocks, which cannot register one.
	hook *pulumi.ErrorHook
	// oneByOne is true if creations are not retried, so that no two operations may overlap.
	oneByOne bool
}

// ordered reports whether a new pool has to wait for the one before it: Azure accepts two new pools in one network, and
// then fails one of them (https://github.com/Azure/AKS/issues/4522), and no hook can create that one again.
func (r retries) ordered(pool *containerservice.AgentPoolArgs) bool {
	return r.oneByOne || pool.VnetSubnetID != nil || pool.PodSubnetID != nil
}

// newRetries registers the hook of a component. All its resources share the hook, and its
// name is the same in each run: Pulumi looks for the name when it deletes a resource that
// the program no longer has.
func newRetries(ctx *pulumi.Context, component pulumi.Resource, retry plan.Retry) (retries, error) {
	if ctx.RunningWithMocks() {
		return retries{}, nil
	}
	old := ctx.RequirePulumiVersion(retriesChanges)
	if old != nil {
		if err := ctx.Log.Info(escape.Lines(fmt.Sprintf(
			"this version of Pulumi cannot retry what Azure refuses while it is busy, so the pools of a cluster "+
				"are made one by one: %v", old)), &pulumi.LogArgs{Resource: component}); err != nil {
			return retries{}, err
		}
	}
	if ctx.RequirePulumiVersion(runsErrorHooks) != nil {
		return retries{oneByOne: true}, nil //nolint:nilerr // it was reported, and pools one by one need no retries
	}
	urn, err := internals.UnsafeAwaitOutput(ctx.Context(), component.URN())
	if err != nil {
		return retries{}, err
	}
	// Two components can have the same name, but not the same URN.
	hook, err := ctx.RegisterErrorHook(fmt.Sprint(urn.Value), retryHook(retry, func(message string) {
		// A hook must not fail: Pulumi would show its error instead of Azure's.
		_ = ctx.Log.Info(escape.Lines(message), &pulumi.LogArgs{Resource: component})
	}))
	return retries{hook: hook, oneByOne: old != nil}, err
}

// retryHook returns a hook that waits and then lets Pulumi retry the operation. It logs the advice for other failures.
// It never returns an error.
func retryHook(retry plan.Retry, log func(message string)) pulumi.ErrorHookFunction {
	return func(args *pulumi.ErrorHookArgs) (bool, error) {
		attempt, ok := retry.After(plan.Failure{
			Resource: string(args.URN), Operation: args.FailedOperation, Errors: args.Errors,
		})
		if !ok {
			if advice := adviceFor(args); advice != "" {
				log(fmt.Sprintf("%s of %s: %s", args.FailedOperation, args.Name, advice))
			}
			return false, nil
		}
		log(fmt.Sprintf("%s of %s: Azure is busy (%s): retry %d in %s", args.FailedOperation, args.Name,
			attempt.Answer, attempt.Number, attempt.Backoff.Round(time.Millisecond)))
		time.Sleep(attempt.Backoff)
		return true, nil
	}
}

// adviceFor returns advice about a failed operation that no retry helps, or an empty string.
func adviceFor(args *pulumi.ErrorHookArgs) string {
	if property, ok := plan.ReadStaleProperty(args.Errors...); ok {
		return "Azure has another " + property + " than the state of this stack: run pulumi refresh, and pulumi up " +
			"again"
	}
	drain, ok := plan.ReadDrainFailure(args.Errors...)
	switch {
	case !ok:
		return ""
	case args.Type == "command:local:Command":
		return drain.String() + "; " + plan.RefreshFirst
	case args.FailedOperation == "update":
		return drain.String() + "; relax it with kubectl, because the program changes objects of the cluster only " +
			"after the pool"
	}
	return drain.String()
}

// retried returns an option that lets Pulumi retry the operations of a resource.
func (r retries) retried() pulumi.ResourceOption {
	if r.hook == nil {
		return pulumi.Composite()
	}
	return pulumi.ResourceHooks(&pulumi.ResourceHookBinding{OnError: []*pulumi.ErrorHook{r.hook}})
}
