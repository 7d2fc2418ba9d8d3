package azurenative

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

func TestFunctionsSendRequestsToAzure(t *testing.T) {
	t.Parallel()
	pool := cluster + "/agentPools/win"
	credentials := object{"kubeconfigs": []any{object{"name": "clusterUser", "value": "a3ViZQ=="}}}
	for _, x := range []struct {
		token  string
		args   object
		want   object
		posted []string
		err    string
	}{
		{
			token: "azure-native:resources:getResourceGroup", args: object{"resourceGroupName": "rg"},
			want: object{"id": group, "name": "rg", "location": "westeurope", "azureApiVersion": "2024-03-01"},
		},
		{
			token: "azure-native:containerservice:getManagedCluster",
			args:  object{"resourceGroupName": "rg", "resourceName": "c"},
			want:  object{"id": cluster, "name": "c", "kubernetesVersion": "1.36", "azureApiVersion": "2025-09-01"},
		},
		{
			token: "azure-native:containerservice:getAgentPool",
			args:  object{"resourceGroupName": "rg", "resourceName": "c", "agentPoolName": "win"},
			want:  object{"id": pool, "name": "win", "count": 1.0, "azureApiVersion": "2025-09-01"},
		},
		{
			token: "azure-native:containerservice:getManagedCluster",
			args:  object{"resourceGroupName": "rg", "resourceName": "d"},
			err: "request failed " + group +
				"/providers/Microsoft.ContainerService/managedClusters/d: Status=404 Code=\"ResourceNotFound\" " +
				"Message=\"The Resource '" +
				group + "/providers/Microsoft.ContainerService/managedClusters/d' was not found.\"",
		},
		{
			token: "azure-native:containerservice:getManagedCluster", args: object{"resourceGroupName": "rg"},
			err: "expected string value for path parameter 'resourceName', got <nil>",
		},
		{
			token: "azure-native:containerservice:listManagedClusterUserCredentials",
			args:  object{"resourceGroupName": "rg", "resourceName": "c"},
			want:  credentials, posted: []string{cluster + " listClusterUserCredential"},
		},
		{
			token: "azure-native:containerservice:listManagedClusterAdminCredentials",
			args:  object{"resourceGroupName": "rg", "resourceName": "c"},
			want:  credentials, posted: []string{cluster + " listClusterAdminCredential"},
		},
		{
			token: "azure-native:authorization:getClientConfig",
			want: object{
				"clientId": "22222222-2222-2222-2222-222222222222", "objectId": "33333333-3333-3333-3333-333333333333",
				"subscriptionId": "00000000-0000-0000-0000-000000000000",
				"tenantId":       "11111111-1111-1111-1111-111111111111",
			},
		},
		{
			token: "azure-native:compute:getDisk",
			err:   "Invoke type azure-native:compute:getDisk not found: the simulated azure-native has only some",
		},
	} {
		t.Run(x.token+x.err, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud()
			cloud.resources[cluster] = object{
				"id": cluster, "name": "c",
				"properties": object{"kubernetesVersion": "1.36"},
			}
			cloud.resources[pool] = object{"id": pool, "name": "win", "properties": object{"count": 1.0}}
			answer, err := newServer(t, cloud).Invoke(p.InvokeRequest{Token: tokens.Type(x.token), Args: props(x.args)})
			if have := message(err); have != x.err {
				t.Errorf("the error is %q, want %q", have, x.err)
			}
			if diff := cmp.Diff(x.want, some(answer.Return)); diff != "" && x.want != nil {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.posted, cloud.posted); diff != "" {
				t.Errorf("posted (-want +got):\n%s", diff)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
