package arm

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// takes is how long operations take in these tests, whose clock is simulated.
const takes = time.Minute

// slowShop returns a cluster with a system pool and a Windows pool on which no operation still runs, and a network. Its
// operations take a minute.
func slowShop(t *testing.T) *Cloud {
	t.Helper()
	c := emptyCloud(t, Options{Operation: takes})
	mustPut(t, c, networkID, Body{"location": "westeurope", "properties": Body{
		"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/16"}},
		"subnets": []any{
			Body{"name": "nodes", "properties": Body{"addressPrefix": "10.1.0.0/24"}},
			Body{"name": "more", "properties": Body{"addressPrefix": "10.1.1.0/24"}},
		},
	}})
	mustPut(t, c, clusterID, clusterBody(nil))
	time.Sleep(takes)
	mustPut(t, c, winID, windowsPool(nil))
	return c
}

// call is a request that changes something.
type call struct {
	method, id string
	body       Body
}

func (c call) do(ctx context.Context, cloud *Cloud) error {
	if c.method == http.MethodDelete {
		return cloud.Delete(ctx, c.id)
	}
	_, err := cloud.Put(ctx, c.id, c.body)
	return err
}

const (
	appsID  = clusterID + "/agentPools/apps"
	otherID = clusterID + "/agentPools/other"
	pending = ", please wait for it to finish before starting a new operation. See " +
		"https://aka.ms/aks-pending-operation for more details"
	errorCodes       = "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/"
	notAllowedSource = errorCodes + "operationnotallowed-error"
	networkSource    = "https://github.com/Azure/AKS/issues/4522"
)

func busyWith(message string) *Error {
	return &Error{Status: 409, Code: "OperationNotAllowed", Message: message + pending}
}

func inSubnet(name string) Body {
	return linuxPool(map[string]any{"vnetSubnetID": networkID + "/subnets/" + name})
}

func TestAClusterTakesOneOperationAtATime(t *testing.T) {
	t.Parallel()
	var (
		putCluster = call{http.MethodPut, clusterID, clusterBody(nil)}
		putWin     = call{http.MethodPut, winID, windowsPool(nil)}
		deleteWin  = call{http.MethodDelete, winID, nil}
		newApps    = call{http.MethodPut, appsID, linuxPool(nil)}
		newOther   = call{http.MethodPut, otherID, linuxPool(nil)}
		netFailed  = &Error{Status: 200, Code: "SetVNetOwnershipFailed", Message: "Set virtual network ownership " +
			"failed. Subscription: " + subscription + "; resource group: rg; virtual network name: net. " +
			"autorest/azure: Service returned an error. Status=400 " +
			`Code="VirtualNetworkNotInSucceededState" Message="Virtual network ` + networkID +
			` is in Updating state. It needs to be in Succeeded state in order to set resource ownership." Details=[]`}
	)
	tests := []struct {
		name         string
		first, meets call
		want         *Error
		source       string
	}{
		{
			"two changes of the cluster", putCluster, putCluster,
			busyWith("Operation is not allowed: Another operation (Updating) is in progress"), notAllowedSource,
		},
		{
			"a pool, while the cluster changes", putCluster, putWin,
			busyWith("Operation is not allowed: Another operation (Updating) is in progress"), notAllowedSource,
		},
		{
			"the cluster, while a pool is made", newApps, putCluster,
			busyWith("Managed Cluster operation is not allowed: Another operation (Creating) is in progress on agent " +
				"pool (apps)"), notAllowedSource,
		},
		{
			"two new pools", newApps, newOther,
			busyWith("Operation is not allowed: Another agentpool operation (apps - Creating) is in progress"),
			"https://github.com/cilium/cilium/issues/25944",
		},
		{
			"two changes of one pool", putWin, putWin,
			busyWith("Operation is not allowed: Another agentpool operation (win - Updating) is in progress"),
			notAllowedSource,
		},
		{
			"a deletion, while another pool changes", newApps, deleteWin,
			busyWith("Operation is not allowed: Another agentpool operation (apps - Creating) is in progress"),
			notAllowedSource,
		},
		{
			"a change of a pool that is being deleted", deleteWin, putWin, &Error{
				Status: 409, Code: "OperationNotAllowed", Message: "Unable to perform 'Updating' operation on 'win' " +
					"since deletion was issued on 'win'. The only allowed operation is deletion once deletion has " +
					"started. The delete operation started at '2000-01-01T00:03:00Z' and elapsed time is: '00:00:01' " +
					"(RFC3339 format)",
			}, notAllowedSource,
		},
		{
			"the deletion of the cluster ends the others", newApps,
			call{http.MethodDelete, clusterID, nil},
			nil,
			"https://github.com/kaito-project/kaito/issues/2075",
		},
		{
			"another network resource", newApps, call{http.MethodPut, groupID, Body{"location": "westeurope"}}, nil, "",
		},
		{
			"two new pools in one network",
			call{http.MethodPut, appsID, inSubnet("nodes")},
			call{http.MethodPut, otherID, inSubnet("more")},
			netFailed, networkSource,
		},
		{
			"a second new pool, without a network",
			call{http.MethodPut, appsID, inSubnet("nodes")},
			newOther,
			busyWith("Operation is not allowed: Another agentpool operation (apps - Creating) is in progress"),
			networkSource,
		},
		{
			"a new cluster in the network of a new pool",
			call{http.MethodPut, appsID, inSubnet("nodes")},
			call{http.MethodPut, clusterID + "2", clusterBody(map[string]any{"agentPoolProfiles": firstPool(
				map[string]any{"vnetSubnetID": networkID + "/subnets/more"})})},
			netFailed,
			errorCodes + "virtualnetworknotinsucceededstate-error",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := slowShop(t)
				ended := make(chan error, 1)
				go func() { ended <- tt.first.do(t.Context(), c) }()
				synctest.Wait()
				time.Sleep(time.Second)
				began := time.Now()
				err := tt.meets.do(t.Context(), c)
				if tt.want == nil && err != nil {
					t.Fatal(err)
				}
				if tt.want != nil {
					wantError(t, err, tt.want)
				}
				if waited := time.Since(began); waited > 0 && tt.want != nil && tt.want.Status == 409 {
					t.Errorf("the refusal took %s", waited)
				}
				if err := <-ended; err != nil {
					t.Errorf("the first one: %v", err)
				}
				if tt.want == nil {
					return
				}
				time.Sleep(takes)
				if err := tt.meets.do(t.Context(), c); err != nil {
					t.Errorf("once it is over (source: %s): %v", tt.source, err)
				}
			})
		})
	}
}

// A pool that fails because of its network exists, and azure-native finds it.
func TestPoolThatFailsInABusyNetworkExists(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := slowShop(t)
		go func() { _, _ = c.Put(t.Context(), appsID, inSubnet("nodes")) }()
		synctest.Wait()
		if _, err := c.Put(t.Context(), otherID, inSubnet("nodes")); err == nil {
			t.Fatal("there is no error")
		}
		wantAt(t, mustGet(t, c, otherID), map[string]any{"properties.provisioningState": "Failed"})
		mustPut(t, c, otherID, inSubnet("nodes"))
		wantAt(t, mustGet(t, c, otherID), map[string]any{"properties.provisioningState": "Succeeded"})
	})
}

// After a creation AKS is busy with operations of its own.
func TestANewClusterIsBusyForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := emptyCloud(t, Options{Operation: takes})
		began := time.Now()
		mustPut(t, c, clusterID, clusterBody(nil))
		if took := time.Since(began); took != takes {
			t.Errorf("the creation took %s, want %s", took, takes)
		}
		// https://github.com/Azure/telescope/pull/1213
		_, err := c.Put(t.Context(), winID, windowsPool(nil))
		wantError(t, err, busyWith("Operation is not allowed: Another operation (Updating) is in progress"))
		// https://github.com/Azure/terraform-azurerm-aks/issues/604
		_, err = c.Put(t.Context(), clusterID, clusterBody(nil))
		wantError(t, err, &Error{
			Status: 409, Code: "EtagMismatch",
			Message: "Operation is not allowed: Another operation is in progress",
		})
		mustGet(t, c, clusterID)
		time.Sleep(takes)
		mustPut(t, c, winID, windowsPool(nil))
		state, err := readState(c.stateFile())
		if err != nil {
			t.Fatal(err)
		}
		if len(state.Operations) != 1 {
			t.Errorf("operations that have ended are stored: %v", state.Operations)
		}
	})
}

// An operation continues without the client that has started it.
func TestAnOperationOutlivesItsClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := slowShop(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.Put(ctx, appsID, linuxPool(nil))
		if err == nil || !strings.Contains(err.Error(), "waiting for the operation: context deadline exceeded") {
			t.Errorf("the client got %v", err)
		}
		mustGet(t, c, appsID)
		_, err = c.Put(t.Context(), otherID, linuxPool(nil))
		wantError(t, err,
			busyWith("Operation is not allowed: Another agentpool operation (apps - Creating) is in progress"))
	})
}

func TestInterference(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := slowShop(t)
		mustFault(t, c, Fault{Kind: Interfere, Method: "PUT", ID: "/managedClusters/"})
		for range 2 { // operations that have started continue
			_, err := c.Put(t.Context(), winID, windowsPool(nil))
			wantError(t, err, errBusy)
			time.Sleep(takes / 2)
		}
		wantFaults(t, c)
		mustPut(t, c, winID, windowsPool(nil))
	})
}

// A seed always gives the same results.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) string {
		c := shop(t)
		mustFault(t, c, Fault{Kind: Conflict, ID: "/agentPools/", Chance: 0.4, Seed: seed, Times: Always})
		var hits strings.Builder
		for range 40 {
			if _, err := c.Get(t.Context(), systemID); err == nil {
				hits.WriteByte('.')
			} else {
				hits.WriteByte('x')
			}
		}
		return hits.String()
	}
	first := draw(1)
	if again := draw(1); again != first {
		t.Errorf("the same seed draws %s and %s", first, again)
	}
	if other := draw(2); other == first {
		t.Errorf("another seed draws %s too", other)
	}
	if hits := strings.Count(first, "x"); hits < 8 || hits > 24 {
		t.Errorf("of 40 requests %d are hit with a chance of 0.4", hits)
	}
	if err := WriteFaults(t.TempDir(), []Fault{{Kind: Conflict, Chance: 2}}); err == nil ||
		err.Error() != "fault 1: 2 is not a chance: use one from 0 to 1" {
		t.Errorf("a chance of 2: %v", err)
	}
}
