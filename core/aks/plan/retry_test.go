package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// Answers that users have received.
const (
	// https://github.com/Azure/terraform-azurerm-avm-ptn-aks-production/pull/25, in the format in which azure-native
	// writes a body without the envelope "error" (pulumi/pulumi-azure-native#4206).
	clusterBusy = `Status=409 Code="OperationNotAllowed" Message="{
  "code": "OperationNotAllowed",
  "details": null,
  "message": "Operation is not allowed: Another operation (Updating) is in progress, please wait for it to finish ` +
		`before starting a new operation. See https://aka.ms/aks-pending-operation for more details",
  "subcode": ""
 }"`
	// https://github.com/cilium/cilium/issues/25944
	poolBusy = `Command "az aks nodepool upgrade" failed: exit status 1: ERROR: (OperationNotAllowed) Operation is ` +
		`not allowed: Another agentpool operation (nodepool1 - Creating) is in progress, please wait for it to ` +
		`finish before starting a new operation. See https://aka.ms/aks-pending-operation for more details`
	// https://github.com/Azure/terraform-azurerm-aks/issues/604
	etag = `Status=409 Code="EtagMismatch" Message="{
  "code": "EtagMismatch",
  "details": [{"message": "rpc error: code = FailedPrecondition desc = Etag mismatched"}],
  "message": "Operation is not allowed: Another operation is in progress"
 }"`
	// https://github.com/Azure/AKS/issues/4522
	networkBusy = `Code="SetVNetOwnershipFailed" Message="Set virtual network ownership failed. Subscription: 0; ` +
		`resource group: shop; virtual network name: net. autorest/azure: Service returned an error. Status=400 ` +
		`Code=\"VirtualNetworkNotInSucceededState\" Message=\"Virtual network /subscriptions/0 is in Updating state. ` +
		`It needs to be in Succeeded state in order to set resource ownership.\" Details=[]"`
)

func TestAnswersThatAreRetried(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, operation, text, want string }{
		{
			"the cluster is busy", "update", clusterBusy,
			"OperationNotAllowed: Another operation (Updating) is in progress",
		},
		{
			"a pool is busy, with the message of az", "create", poolBusy,
			"OperationNotAllowed: Another agentpool operation (nodepool1 - Creating) is in progress",
		},
		{"another change came first", "update", etag, "EtagMismatch: Etag mismatched"},
		{
			"the network is busy", "create", "Status=400 " + networkBusy,
			"VirtualNetworkNotInSucceededState: is in Updating state",
		},
		{
			"an update that began and failed", "update", "1 error occurred:\n\t* " + networkBusy + "\n\n",
			"VirtualNetworkNotInSucceededState: is in Updating state",
		},
		{"a creation that began and failed", "create", "1 error occurred:\n\t* " + networkBusy + "\n\n", ""},
		{
			// https://learn.microsoft.com/azure/quotas/regional-quota-requests
			"a quota", "create", `Status=409 Code="OperationNotAllowed" Message="Operation could not be completed as ` +
				`it results in exceeding approved Total Regional Cores quota."`, "",
		},
		{
			// https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/operationnotallowed-error
			"a pool that is being deleted", "update", `Status=409 Code="OperationNotAllowed" Message="Unable to ` +
				`perform 'Scaling' operation on 'agentpool' since deletion was issued on 'agentpool'."`, "",
		},
		{"a network that may not be used", "create", `Code="SetVNetOwnershipFailed" Message="Forbidden"`, ""},
		{
			"an answer that azure-native retries itself", "update",
			`Status=409 Code="AnotherOperationInProgress" Message=""`, "",
		},
		{"a refusal", "create", `Status=400 Code="InvalidParameter" Message="Another operation is in progress"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			attempt, ok := plan.Retry{}.After(plan.Failure{Operation: tt.operation, Errors: []string{tt.text}})
			if diff := cmp.Diff(tt.want, attempt.Answer); diff != "" || ok != (tt.want != "") {
				t.Errorf("retried: %t, answer (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// Only the newest error counts: a retry can meet another one.
func TestOnlyTheNewestErrorCounts(t *testing.T) {
	t.Parallel()
	const refused = `Status=400 Code="BadRequest" Message="no"`
	retried := func(errs ...string) bool {
		_, ok := plan.Retry{}.After(plan.Failure{Operation: "update", Errors: errs})
		return ok
	}
	if retried(refused, clusterBusy) {
		t.Error("a refusal is retried")
	}
	if !retried(clusterBusy, refused) {
		t.Error("an answer that means busy is not retried")
	}
	if retried() {
		t.Error("a failure without errors is retried")
	}
}

// retries returns all waits until a failure is no longer retried.
func retries(p plan.Retry, resource string) []time.Duration {
	var pauses []time.Duration
	for {
		errs := slices.Repeat([]string{clusterBusy}, len(pauses)+1)
		r, ok := p.After(plan.Failure{Resource: resource, Operation: "update", Errors: errs})
		if !ok {
			return pauses
		}
		pauses = append(pauses, r.Backoff)
	}
}

func TestPausesGrowAndEnd(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		retry plan.Retry
		// longest are the bounds of the first pauses. All further pauses have the last bound.
		longest    []time.Duration
		count, max int
	}{
		{
			"the default", plan.Retry{}, []time.Duration{
				2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, 64 * time.Second,
				90 * time.Second,
			}, 40, 98,
		},
		{"a short one", plan.Retry{Backoff: time.Millisecond, Timeout: 10 * time.Millisecond}, []time.Duration{
			time.Millisecond, 2 * time.Millisecond, 4 * time.Millisecond, 8 * time.Millisecond,
		}, 3, 4},
		{"more retries than Pulumi has", plan.Retry{Backoff: time.Second, Timeout: 1000 * time.Hour}, []time.Duration{
			time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second,
			64 * time.Second, 90 * time.Second,
		}, 98, 98},
		{"a first pause that is too long", plan.Retry{Backoff: time.Hour, Timeout: 90 * time.Second}, []time.Duration{
			90 * time.Second,
		}, 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pauses := retries(tt.retry, "urn")
			if len(pauses) < tt.count || len(pauses) > tt.max {
				t.Errorf("%d retries, want %d to %d", len(pauses), tt.count, tt.max)
			}
			for i, pause := range pauses {
				longest := tt.longest[min(i, len(tt.longest)-1)]
				if pause > longest || pause < longest/2 {
					t.Errorf("pause %d is %s, want %s to %s", i+1, pause, longest/2, longest)
				}
			}
		})
	}
}

// Pools that were refused at the same time do not all retry at the same time.
func TestPausesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[time.Duration]bool{}
	for i := range 20 {
		seen[retries(plan.Retry{}, strings.Repeat("x", i))[0]] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 resources have %d pauses", len(seen))
	}
	if diff := cmp.Diff(retries(plan.Retry{}, "urn"), retries(plan.Retry{}, "urn")); diff != "" {
		t.Errorf("the pauses of the same resource differ:\n%s", diff)
	}
}
