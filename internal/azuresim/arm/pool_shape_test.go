package arm

import (
	"fmt"
	"testing"
)

// The properties that Azure shows for a pool without options: from the states that azure-native's upgrade tests
// recorded on 2025-11-21, and azure-cli's recording test_aks_nodepool_add_with_ossku_windows2022.
func TestPropertiesOfPools(t *testing.T) {
	t.Parallel()
	secure := Body{"enableSecureBoot": false, "enableVTPM": false, "sshAccess": "LocalUser"}
	for name, c := range map[string]struct {
		pool Body
		want map[string]any
	}{
		"Linux": {linuxPool(nil), map[string]any{
			"enableAutoScaling": nil, "enableUltraSSD": nil, "enableEncryptionAtHost": nil, "workloadRuntime": nil,
			"enableFIPS": false, "kubeletDiskType": "OS", "scaleDownMode": "Delete", "securityProfile": secure,
		}},
		"Windows": {windowsPool(nil), map[string]any{"securityProfile": secure}},
		"the case that was sent": {linuxPool(map[string]any{
			"enableEncryptionAtHost": true, "enableUltraSSD": false, "workloadRuntime": "OCIContainer",
		}), map[string]any{
			"enableEncryptionAtHost": true, "enableUltraSSD": false, "workloadRuntime": "OCIContainer",
		}},
		"no taints and labels": {
			linuxPool(map[string]any{"nodeTaints": []any{}, "nodeLabels": Body{}}),
			map[string]any{"nodeTaints": nil, "nodeLabels": nil},
		},
		"the policy that az always sends": {
			linuxPool(map[string]any{
				"scaleSetPriority": "Regular", "scaleSetEvictionPolicy": "Delete", "spotMaxPrice": -1,
			}),
			map[string]any{"scaleSetPriority": nil, "scaleSetEvictionPolicy": nil, "spotMaxPrice": nil},
		},
		// https://learn.microsoft.com/azure/aks/quotas-skus-regions: AKS chooses. The size here is a guess.
		"no size": {linuxPool(map[string]any{"vmSize": nil}), map[string]any{"vmSize": "Standard_D4s_v5"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud, id := shop(t), clusterID+"/agentPools/apps"
			mustPut(t, cloud, id, c.pool)
			wantAt(t, mustGet(t, cloud, id)["properties"].(Body), c.want)
			pools, _ := at(mustGet(t, cloud, clusterID), "properties.agentPoolProfiles").([]any)
			for _, pool := range pools {
				if profile := pool.(Body); profile["name"] == "apps" {
					wantAt(t, profile, c.want)
				}
			}
			if len(pools) != 2 {
				t.Errorf("the cluster shows %d pools", len(pools))
			}
		})
	}
}

// The limit is the property maxAgentPools of a cluster. The code is from Microsoft's package apierror, and the message
// is our own.
func TestAClusterHasAHundredPools(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	pool := func(i int) string { return fmt.Sprintf("%s/agentPools/p%d", clusterID, i) }
	for i := range 99 {
		mustPut(t, cloud, pool(i), linuxPool(nil))
	}
	_, err := cloud.Put(t.Context(), pool(99), linuxPool(nil))
	wantError(t, err, bad400("MaxAgentPoolCountReached", "", "A cluster can have at most 100 agent pools."))
	mustPut(t, cloud, pool(98), linuxPool(map[string]any{"count": 2}))
	mustDelete(t, cloud, pool(0))
	mustPut(t, cloud, pool(99), linuxPool(nil))
}
