package arm

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	errThrottled = &Error{
		Status: 429, Code: "TooManyRequests",
		Message: "The request is being throttled as the limit has been reached for this operation. Retry after 1 " +
			"second.",
		RetryAfter: time.Second,
	}
	// https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/throttled-error
	errPoolThrottled = &Error{
		Status: 429, Code: "Throttled",
		Message: "The PutAgentPoolHandler.PUT request limit has been exceeded for " +
			"SubID='00000000-0000-0000-0000-000000000000', please retry again in 1 seconds. For more information, " +
			"please visit aka.ms/aks/throttling",
		RetryAfter: time.Second,
	}
	errBusy = &Error{
		Status: 409, Code: "OperationNotAllowed",
		Message: "Operation is not allowed: Another operation (Updating) is in progress, please wait for it to " +
			"finish before starting a new operation. See https://aka.ms/aks-pending-operation for more details",
	}
	errCrashed = &Error{
		Status: 500, Code: "InternalServerError",
		Message: "The server encountered an internal error. Please retry the request.",
	}
	errFailed = &Error{Status: 200, Code: "InternalOperationError", Message: "Internal server error"}
)

func mustFault(t *testing.T, c *Cloud, faults ...Fault) {
	t.Helper()
	if err := WriteFaults(c.dir, faults); err != nil {
		t.Fatal(err)
	}
}

func wantFaults(t *testing.T, c *Cloud, want ...Fault) {
	t.Helper()
	got, err := ReadFaults(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other faults are left (-want +got):\n%s", diff)
	}
}

func TestFaultsBeforeTheChange(t *testing.T) {
	t.Parallel()
	for kind, want := range map[FaultKind]*Error{Throttle: errPoolThrottled, Conflict: errBusy, Fail: errCrashed} {
		cloud := shop(t)
		mustFault(t, cloud, Fault{Method: "PUT", ID: "/agentPools/win$", Kind: kind})
		mustPut(t, cloud, groupID, Body{"location": "westeurope"})
		_, err := cloud.Put(t.Context(), winID, windowsPool(nil))
		wantError(t, err, want)
		if _, err := cloud.Get(t.Context(), winID); err == nil {
			t.Errorf("%s: the pool is there", kind)
		}
		mustPut(t, cloud, winID, windowsPool(nil))
		wantFaults(t, cloud)
	}
}

func TestAFaultAfterTheChangeLosesTheAnswer(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustFault(t, cloud, Fault{Kind: FailAfter, Method: "PUT"}, Fault{Kind: FailAfter, Method: "DELETE"})
	_, err := cloud.Put(t.Context(), winID, windowsPool(nil))
	wantError(t, err, errCrashed)
	wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.provisioningState": "Succeeded"})
	wantError(t, cloud.Delete(t.Context(), winID), errCrashed)
	if _, err := cloud.Get(t.Context(), winID); err == nil {
		t.Error("the pool is there")
	}
}

func TestFailedProvisioningLeavesTheResource(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustFault(t, cloud, Fault{Kind: FailedProvisioning, ID: "win$", Method: "put"},
		Fault{Kind: FailedProvisioning, Method: "DELETE"})
	_, err := cloud.Put(t.Context(), winID, windowsPool(nil))
	wantError(t, err, errFailed)
	wantAt(t, mustGet(t, cloud, winID),
		map[string]any{"properties.provisioningState": "Failed", "properties.count": 1.0})
	mustPut(t, cloud, winID, windowsPool(nil))
	wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.provisioningState": "Succeeded"})
	wantError(t, cloud.Delete(t.Context(), winID), errFailed)
	wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.provisioningState": "Failed"})
	mustDelete(t, cloud, winID)
}

func TestFaultsAreUsedUp(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustFault(t, cloud, Fault{Method: "GET", Kind: Throttle, After: 2, Times: 2},
		Fault{Method: "DELETE", Kind: Fail, Times: Always})
	mustGet(t, cloud, clusterID)
	mustGet(t, cloud, groupID)
	wantFaults(t, cloud, Fault{Method: "GET", Kind: Throttle, Times: 2},
		Fault{Method: "DELETE", Kind: Fail, Times: Always})
	for range 2 {
		_, err := cloud.Get(t.Context(), groupID)
		wantError(t, err, errThrottled)
	}
	mustGet(t, cloud, clusterID)
	for range 3 {
		wantError(t, cloud.Delete(t.Context(), winID), errCrashed)
	}
	wantFaults(t, cloud, Fault{Method: "DELETE", Kind: Fail, Times: Always})
}

func TestSlowRequestsDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustFault(t, cloud, Fault{Method: "PUT", Kind: Slow, Delay: 400 * time.Millisecond})
	begin, done := time.Now(), make(chan error)
	go func() {
		_, err := cloud.Put(t.Context(), winID, windowsPool(nil))
		done <- err
	}()
	for {
		if left, err := ReadFaults(cloud.dir); err != nil || len(left) == 0 {
			break
		}
	}
	mustGet(t, cloud, clusterID)
	quick := time.Since(begin)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if slow := time.Since(begin); slow < 400*time.Millisecond || quick >= slow {
		t.Errorf("the other took %v, the slow one %v", quick, slow)
	}
	mustFault(t, cloud, Fault{Kind: Slow, Delay: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := cloud.Get(ctx, clusterID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	mustGet(t, cloud, clusterID)
}

func TestInvalidFaults(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	for want, fault := range map[string]Fault{
		`fault 1: "explode" is not a kind of fault`:             {Kind: "explode"},
		"fault 1: error parsing regexp: missing closing ): `(`": {Kind: Fail, ID: "("},
	} {
		if err := WriteFaults(cloud.dir, []Fault{fault}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
