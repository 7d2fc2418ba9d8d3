package armclient

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/lab/azure"
)

func TestTheEnvironmentSaysWhichAzure(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ dir, delay, want string }{
		{"", "", "MIXEDKUBE_AZURE_DIR is not set: set it to the folder of the simulated Azure"},
		{"x", "soon", `MIXEDKUBE_AZURE_RETRY_DELAY: "soon" is not a duration: use 500ms for example`},
		{"x", "-1s", `MIXEDKUBE_AZURE_RETRY_DELAY: "-1s" is not a duration: use 500ms for example`},
	} {
		variables := map[string]string{DirVariable: x.dir, RetryDelayVariable: x.delay}
		if _, err := fromVariables(func(name string) string { return variables[name] }); err == nil || err.Error() != x.want {
			t.Errorf("the error is %v, want %s", err, x.want)
		}
	}
}

// An Azure without a cluster to play it works, but has no credentials.
func TestWithoutAClusterThereAreNoCredentials(t *testing.T) {
	t.Parallel()
	variables := map[string]string{DirVariable: t.TempDir()}
	arm, err := fromVariables(func(name string) string { return variables[name] })
	if err != nil {
		t.Fatal(err)
	}
	group := "/subscriptions/" + Subscription + "/resourceGroups/rg"
	if _, err := arm.Put(t.Context(), group, azure.Body{"location": "westeurope"}); err != nil {
		t.Fatal(err)
	}
	id := group + "/providers/Microsoft.ContainerService/managedClusters/c"
	if _, err := arm.Put(t.Context(), id, azure.Body{
		"location": "westeurope", "identity": map[string]any{"type": "SystemAssigned"},
		"properties": map[string]any{"dnsPrefix": "c", "agentPoolProfiles": []any{map[string]any{
			"name": "sys", "mode": "System", "count": 1.0, "vmSize": "Standard_D4s_v5", "osType": "Linux", "type": "VirtualMachineScaleSets",
		}}},
	}); err != nil {
		t.Fatal(err)
	}
	_, err = arm.Post(t.Context(), id, "listClusterUserCredential", azure.Body{})
	if want := "MIXEDKUBE_AZURE_KUBECONFIG is not set: set it to the path of the cluster's kubeconfig"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestTwoPoolsOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	pools := []azure.Pool{{Cluster: "/a", Pool: topology.Pool{Name: "sys"}}, {Cluster: "/a", Pool: topology.Pool{Name: "win"}}}
	all, err := asTopology(pools)
	if err != nil || len(all.Pools) != 2 || all.Pools[1].Name != "win" {
		t.Errorf("the topology is %v, %v", all, err)
	}
	_, err = asTopology(append(pools, azure.Pool{Cluster: "/b", Pool: topology.Pool{Name: "win"}}))
	want := "the pool win is in /a and in /b: the lab has one cluster for both, so give the pools different names"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
