package aks

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

const busy = `Status=409 Code="OperationNotAllowed" Message="Operation is not allowed: Another operation (Updating) ` +
	`is in progress, secret-9"`

func TestAHookWaitsAndLogsIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		retry := plan.Retry{Backoff: time.Second, Timeout: 10 * time.Second}
		hook := retryHook(retry, func(message string) { log = append(log, message) })
		began := time.Now()
		args := &pulumi.ErrorHookArgs{
			URN: "urn", Name: "shop-win22d", FailedOperation: "update", Errors: []string{busy},
		}
		again, err := hook(args)
		if !again || err != nil {
			t.Fatalf("the hook returned %t, %v", again, err)
		}
		waited := time.Since(began)
		if waited < time.Second/2 || waited > time.Second {
			t.Errorf("it waited for %s", waited)
		}
		want := []string{"update of shop-win22d: Azure is busy (OperationNotAllowed: Another operation (Updating) is " +
			"in progress): retry 1 in " + waited.Round(time.Millisecond).String()}
		if diff := cmp.Diff(want, log); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
		args.Errors = slices.Repeat(args.Errors, 10)
		if again, err := hook(args); again || err != nil || len(log) != 1 {
			t.Errorf("at the timeout the hook returned %t, %v, and logged %s", again, err, strings.Join(log, "\n"))
		}
	})
}

// A failure that no retry helps is not repeated at once, and the log has advice.
func TestAHookLogsAdvice(t *testing.T) {
	t.Parallel()
	const (
		ofDrain = "Node 'aks-1' failed to be drained with error: 'Drain did not complete pods [web-0] within 10m0s', " +
			"secret-9"
		drained = ": 1 pod did not leave the node aks-1: web-0. Relax their PodDisruptionBudget if they have one " +
			"(kubectl get pdb --all-namespaces), or let them end, and run pulumi up again, which continues"
	)
	for name, tt := range map[string]struct {
		kind      tokens.Type
		operation string
		errors    []string
		want      []string
	}{
		"a pool that is deleted": {
			"azure-native:containerservice:AgentPool", "delete",
			[]string{ofDrain, busy},
			[]string{"delete of shop-win" + drained},
		},
		"a pool that is upgraded": {
			"azure-native:containerservice:AgentPool", "update",
			[]string{ofDrain},
			[]string{"update of shop-win" + drained + "; relax it with kubectl, because the program changes objects " +
				"of the cluster only after the pool"},
		},
		"a pool that changes in place": {
			"command:local:Command", "create",
			[]string{ofDrain},
			[]string{"create of shop-win" + drained + "; run pulumi refresh before another change of the pool, which " +
				"would send the old value again"},
		},
		"a pool that has changed in place": {
			"azure-native:containerservice:AgentPool", "update",
			[]string{`Status=400 Code="PropertyChangeNotAllowed" Message="Changing property ` +
				`'properties.vmSize' is not allowed."`},
			[]string{"update of shop-win: Azure has another vmSize than the state of this stack: run pulumi refresh, " +
				"and pulumi up again"},
		},
		"another property": {
			"azure-native:containerservice:AgentPool", "update",
			[]string{`Message="Changing property 'properties.maxPods' is not allowed."`},
			nil,
		},
	} {
		var log []string
		hook := retryHook(plan.Retry{}, func(message string) { log = append(log, message) })
		again, err := hook(&pulumi.ErrorHookArgs{
			Type: tt.kind, Name: "shop-win", FailedOperation: tt.operation, Errors: tt.errors,
		})
		if again || err != nil {
			t.Errorf("%s: the hook returned %t, %v", name, again, err)
		}
		if diff := cmp.Diff(tt.want, log); diff != "" {
			t.Errorf("%s: log (-want +got):\n%s", name, diff)
		}
	}
}

// Whatever Azure and the engine return, a hook returns no error.
func TestAHookHasNoErrors(t *testing.T) {
	t.Parallel()
	for _, args := range []pulumi.ErrorHookArgs{
		{},
		{FailedOperation: "create", Errors: []string{""}},
		{FailedOperation: "read", Errors: []string{"no"}},
		{FailedOperation: "delete", Errors: []string{`Status=400 Code="BadRequest" Message="no"`}},
		{FailedOperation: "create", Errors: []string{"1 error occurred:\n\t* " + busy}},
	} {
		hook := retryHook(plan.Retry{Backoff: time.Nanosecond}, func(string) { t.Errorf("%v is retried", args.Errors) })
		if again, err := hook(&args); again || err != nil {
			t.Errorf("%v: the hook returned %t, %v", args, again, err)
		}
	}
}
