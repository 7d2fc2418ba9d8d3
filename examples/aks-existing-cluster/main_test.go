package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

var configuration = map[string]string{"resourceGroup": "shop-group"}

// shop is the existing cluster, as Azure describes it.
var shop = akstest.Cluster{Name: "shop", Properties: map[string]any{
	"currentKubernetesVersion": "1.35.4",
	"networkProfile":           map[string]any{"networkPlugin": "azure", "networkPluginMode": "overlay"},
	"windowsProfile":           map[string]any{"adminUsername": "azureuser"},
	"agentPoolProfiles": []any{map[string]any{
		"name": "sys", "mode": "System", "osType": "Linux", "count": 3, "vmSize": "Standard_D4s_v5",
		"currentOrchestratorVersion": "1.35.4",
	}},
}}

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, program, mocktest.Preview(), mocktest.Config(configuration), akstest.Azure(shop))
	exampletest.Equal(t, "testdata/preview.golden", graph.String())
}
