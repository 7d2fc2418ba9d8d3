package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const (
	vnet     = "/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/vnet/subnets/"
	identity = "/subscriptions/s/resourceGroups/net/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop"
)

var configuration = map[string]string{
	"nodeSubnetID": vnet + "nodes", "podSubnetID": vnet + "pods", "windowsPassword": "Correct-Horse-Battery-9",
	"identityID": identity,
}

func preview(t *testing.T) *mocktest.Graph {
	t.Helper()
	return mocktest.MustRun(t, program, mocktest.Preview(), mocktest.Config(configuration), akstest.Azure())
}

func TestBothPoolsAreInTheConfiguredSubnets(t *testing.T) {
	t.Parallel()
	graph := preview(t)
	cluster, err := graph.Get("azure-native:containerservice:ManagedCluster", "shop-cluster")
	if err != nil {
		t.Fatal(err)
	}
	pools := []map[string]any{cluster.Plain()["agentPoolProfiles"].([]any)[0].(map[string]any)}
	for _, pool := range graph.ByType("azure-native:containerservice:AgentPool") {
		pools = append(pools, pool.Plain())
	}
	var got [][]any
	for _, pool := range pools {
		got = append(got, []any{pool["osType"], pool["vnetSubnetID"], pool["podSubnetID"]})
	}
	want := [][]any{{"Linux", vnet + "nodes", vnet + "pods"}, {"Windows", vnet + "nodes", vnet + "pods"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the pools' systems and subnets (-want +got):\n%s", diff)
	}
}

func TestTheClusterIsPrivateAndActsAsTheConfiguredIdentity(t *testing.T) {
	t.Parallel()
	cluster, err := preview(t).Get("azure-native:containerservice:ManagedCluster", "shop-cluster")
	if err != nil {
		t.Fatal(err)
	}
	in := cluster.Plain()
	got := []any{in["apiServerAccessProfile"], in["identity"], in["networkProfile"]}
	want := []any{
		map[string]any{"enablePrivateCluster": true},
		map[string]any{"type": "UserAssigned", "userAssignedIdentities": []any{identity}},
		map[string]any{
			"networkPlugin": "azure", "networkPolicy": "calico", "outboundType": "userAssignedNATGateway",
			"loadBalancerSku": "standard",
			"serviceCidr":     "172.16.0.0/16", "dnsServiceIP": "172.16.0.10", "podCidr": "10.244.0.0/16",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("access, identity and network (-want +got):\n%s", diff)
	}
}
