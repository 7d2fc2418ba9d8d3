package arm

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	groupID   = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg"
	clusterID = groupID + "/providers/Microsoft.ContainerService/managedClusters/shop"
	systemID  = clusterID + "/agentPools/system"
	winID     = clusterID + "/agentPools/win"
	networkID = groupID + "/providers/Microsoft.Network/virtualNetworks/net"
	subnetID  = networkID + "/subnets/nodes"

	// password is searched for in everything that the cloud writes.
	password = "Correct-Horse-42"
)

// emptyCloud has a resource group.
func emptyCloud(t *testing.T, o Options) *Cloud {
	t.Helper()
	if o.Today == nil { // when 1.32 to 1.35 had support
		o.Today = func() time.Time { return time.Date(2026, time.March, 15, 0, 0, 0, 0, time.UTC) }
	}
	c, err := Open(t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	mustPut(t, c, groupID, Body{"location": "westeurope"})
	return c
}

// shop also has a cluster with a system pool.
func shop(t *testing.T) *Cloud {
	t.Helper()
	c := emptyCloud(t, Options{})
	mustPut(t, c, clusterID, clusterBody(nil))
	return c
}

// clusterBody returns a valid cluster, changed by the values at paths below properties. nil removes a property.
func clusterBody(change map[string]any) Body {
	body := Body{
		"location": "West Europe",
		"identity": Body{"type": "SystemAssigned"},
		"properties": Body{
			"kubernetesVersion": "1.36",
			"dnsPrefix":         "shop",
			"networkProfile": Body{
				"networkPlugin": "azure", "networkPluginMode": "overlay",
				"networkPolicy": "calico",
			},
			"windowsProfile": Body{
				"adminUsername": "operator", "adminPassword": password,
				"licenseType": "Windows_Server",
			},
			"agentPoolProfiles": []any{
				Body{"name": "system", "mode": "System", "count": 2, "vmSize": "Standard_D4s_v5", "osType": "Linux"},
			},
		},
	}
	apply(body["properties"].(Body), change)
	return body
}

// firstPool returns the list of pools of a cluster, the first one changed.
func firstPool(change map[string]any) []any {
	pool := Body{"name": "system", "mode": "System", "count": 2, "vmSize": "Standard_D4s_v5"}
	apply(pool, change)
	return []any{pool}
}

func linuxPool(change map[string]any) Body {
	properties := Body{"count": 1, "vmSize": "Standard_D4s_v5", "mode": "User"}
	apply(properties, change)
	return Body{"properties": properties}
}

func windowsPool(change map[string]any) Body {
	properties := Body{
		"count": 1, "vmSize": "Standard_D4s_v5", "mode": "User", "osType": "Windows",
		"osSKU": "Windows2022",
	}
	apply(properties, change)
	return Body{"properties": properties}
}

func apply(body Body, change map[string]any) {
	for path, value := range change {
		if value == nil {
			removeAt(body, path)
		} else {
			setAt(body, path, value)
		}
	}
}

func mustPut(t *testing.T, c *Cloud, id string, body Body) Body {
	t.Helper()
	answer, err := c.Put(t.Context(), id, body)
	if err != nil {
		t.Fatalf("PUT %s: %v", id, err)
	}
	return answer
}

func mustGet(t *testing.T, c *Cloud, id string) Body {
	t.Helper()
	answer, err := c.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("GET %s: %v", id, err)
	}
	return answer
}

func mustDelete(t *testing.T, c *Cloud, id string) {
	t.Helper()
	if err := c.Delete(t.Context(), id); err != nil {
		t.Fatalf("DELETE %s: %v", id, err)
	}
}

// wantError compares Azure's whole answer.
func wantError(t *testing.T, err error, want *Error) {
	t.Helper()
	var got *Error
	if err == nil || !errors.As(err, &got) {
		t.Fatalf("got %v, want %v", err, want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another error (-want +got):\n%s", diff)
	}
}

// wantAt compares the values at paths. nil means no value.
func wantAt(t *testing.T, body Body, want map[string]any) {
	t.Helper()
	for path, value := range want {
		if diff := cmp.Diff(value, at(body, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// bad400 returns a refusal.
func bad400(code, target, message string) *Error {
	return &Error{Status: 400, Code: code, Target: target, Message: message}
}

// invalid returns an InvalidParameter of AKS.
func invalid(target, details string) *Error {
	return bad400("InvalidParameter", target,
		"The value of parameter "+target+" is invalid. Error details: "+details+". Please see https://aka.ms/aks-naming-rules for more details.")
}

func missing(target string) *Error {
	return bad400("InvalidParameter", target, "Required parameter "+target+" is missing (null).")
}

func immutable(target string) *Error {
	return bad400("PropertyChangeNotAllowed", target, "Changing property '"+target+"' is not allowed.")
}

// shownID returns the ID of a cluster or pool in the spelling of AKS, as in the recordings of the command line's tests
// (azure-cli, acs/tests/latest/recordings).
func shownID(id string) string { return strings.Replace(id, "resourceGroups", "resourcegroups", 1) }

// noCluster is in a recording of azure-cli's tests (test_aks_nodepool_add_with_ossku_windows2022.yaml).
func noCluster(name string) *Error {
	return &Error{
		Status: 404, Code: "ResourceNotFound",
		Message: "The Resource 'Microsoft.ContainerService/managedClusters/" + name + "' under resource group 'rg' " +
			"was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix",
	}
}
