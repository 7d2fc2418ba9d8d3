package lab

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// Nodes in Azure have each label that the components place workloads by, with the same value.
func TestNodesInAzureHaveTheLabelsOfTheComponents(t *testing.T) {
	t.Parallel()
	const size = "Standard_D4s_v5"
	desired := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: size},
		{Name: "spot", Platform: platform.Linux, Size: size, Spot: true, Labels: map[string]string{"team": "web"}},
		{Name: "win", Platform: platform.WindowsServer2025, Size: size, FIPS: true, Zones: []string{"1"}},
	}}.WithDefaults()

	cloud, err := arm.Open(t.TempDir(), arm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const group = "/subscriptions/" + armclient.SubscriptionID + "/resourceGroups/rg"
	const inAzure = group + "/providers/Microsoft.ContainerService/managedClusters/shop"
	put := func(id string, body arm.Body) {
		t.Helper()
		if _, err := cloud.Put(t.Context(), id, body); err != nil {
			t.Fatal(err)
		}
	}
	bodies := make([]arm.Body, len(desired.Pools))
	for i, pool := range desired.Pools {
		bodies[i] = poolBody(plan.Declared(pool))
	}
	bodies[0]["name"] = plan.PoolName(desired.Pools[0], nil)
	put(group, arm.Body{"location": "westeurope"})
	put(inAzure, arm.Body{
		"location": "westeurope", "identity": arm.Body{"type": "SystemAssigned"},
		"properties": arm.Body{
			"kubernetesVersion": "1.36", "dnsPrefix": "shop", "agentPoolProfiles": []any{bodies[0]},
			"networkProfile": arm.Body{"networkPlugin": "azure", "networkPluginMode": "overlay"},
			"windowsProfile": arm.Body{"adminUsername": "operator", "adminPassword": "Correct-Horse-42"},
		},
	})
	for i, pool := range desired.Pools[1:] {
		put(inAzure+"/agentPools/"+plan.PoolName(pool, nil), arm.Body{"properties": bodies[i+1]})
	}
	pools, err := cloud.Pools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := azurenodes.OfPools(pools, nil, "v1.36.3")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*corev1.Node{}
	for _, node := range nodes {
		byName[node.Name] = node
	}
	for _, want := range aksNodes(desired, nodes, "v1.36.3") {
		have := byName[want.Name]
		if have == nil {
			t.Errorf("node %s does not exist", want.Name)
			continue
		}
		if drift := cluster.Drift(have, want); len(drift) > 0 {
			t.Errorf("node %s: %q", want.Name, drift)
		}
	}
}

// poolBody returns what a program sends for a pool.
func poolBody(pool topology.Pool) arm.Body {
	body := arm.Body{
		"count": pool.Count, "vmSize": pool.Size, "mode": string(pool.Mode), "enableFIPS": pool.FIPS,
		"osType": "Linux",
	}
	if pool.Platform.IsWindows() {
		body["osType"], body["osSKU"] = "Windows", plan.OSSKU(pool.Platform)
	}
	if pool.Spot {
		body["scaleSetPriority"] = "Spot"
	}
	labels := arm.Body{}
	for key, value := range pool.Labels {
		labels[key] = value
	}
	zones, taints := []any{}, []any{}
	for _, zone := range pool.Zones {
		zones = append(zones, zone)
	}
	for _, taint := range pool.Taints {
		taints = append(taints, topology.FormatTaint(taint))
	}
	body["nodeLabels"], body["availabilityZones"], body["nodeTaints"] = labels, zones, taints
	return body
}
