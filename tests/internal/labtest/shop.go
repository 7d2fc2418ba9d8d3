package labtest

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

const (
	shopGroup = "/subscriptions/" + armclient.SubscriptionID + "/resourceGroups/shop-group"
	shop      = "/providers/Microsoft.ContainerService/managedClusters/shop"

	// ShopCluster is the ID of the cluster of the programs that take it over: those in components/aks/testdata/takeover
	// and tests/languages/programs/takeover.
	ShopCluster = shopGroup + shop
	// ShopID is the same ID as Azure writes it.
	ShopID = "/subscriptions/" + armclient.SubscriptionID + "/resourcegroups/shop-group" + shop
)

// MakeShop creates a cluster with a Windows pool, like the portal.
func MakeShop(t *testing.T, dir string) {
	t.Helper()
	cloud, err := arm.Open(dir, arm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range []struct {
		id   string
		body arm.Body
	}{
		{shopGroup, arm.Body{"location": "westeurope"}},
		{ShopCluster, arm.Body{
			"location": "westeurope", "tags": map[string]any{"team": "shop"},
			"identity": map[string]any{"type": "SystemAssigned"},
			"properties": map[string]any{
				"kubernetesVersion": "1.35", "dnsPrefix": "shop-dns",
				"windowsProfile": map[string]any{
					"adminUsername": "shopadmin", "adminPassword": "Made-By-The-Portal-1",
				},
				"autoUpgradeProfile": map[string]any{"upgradeChannel": "stable"},
				"agentPoolProfiles": []any{map[string]any{
					"name": "nodepool1", "mode": "System", "count": 1, "vmSize": "Standard_D4s_v5",
				}},
			},
		}},
		{ShopCluster + "/agentPools/win", arm.Body{"properties": map[string]any{
			"osType": "Windows", "osSKU": "Windows2022", "count": 1, "vmSize": "Standard_D4s_v5",
			"nodeTaints": []any{"os=windows:NoSchedule"},
		}}},
	} {
		if _, err := cloud.Put(t.Context(), resource.id, resource.body); err != nil {
			t.Fatal(err)
		}
	}
}
