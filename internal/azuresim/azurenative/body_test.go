package azurenative

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

type object = map[string]any

// The body of a PUT for each type, and the outputs of its answer.
func TestBodyRoundTrip(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		token   string
		inputs  object
		id      string
		body    arm.Body
		answer  arm.Body
		outputs object
		// back are the inputs that the outputs show.
		back object
	}{
		{
			token: "azure-native:resources:ResourceGroup",
			inputs: object{
				"resourceGroupName": "rg", "location": "westeurope", "tags": object{"a-b": "c"},
				"azureApiVersion": "x", "__createBeforeDelete": true,
			},
			id:   group,
			body: arm.Body{"location": "westeurope", "tags": object{"a-b": "c"}},
			answer: arm.Body{
				"id": group, "name": "rg", "location": "westeurope", "tags": object{"a-b": "c"},
				"properties": object{"provisioningState": "Succeeded"}, "managedBy": nil,
			},
			outputs: object{
				"azureApiVersion": "2024-03-01", "name": "rg", "location": "westeurope",
				"tags": object{"a-b": "c"}, "properties": object{"provisioningState": "Succeeded"},
			},
			back: object{"location": "westeurope", "tags": object{"a-b": "c"}},
		},
		{
			token: "azure-native:containerservice:ManagedCluster",
			inputs: object{
				"resourceGroupName": "rg", "resourceName": "c", "location": "westeurope", "kubernetesVersion": "1.36",
				"sku":               object{"name": "Base"},
				"identity":          object{"type": "UserAssigned", "userAssignedIdentities": []any{"/i/2", "/i/1"}},
				"agentPoolProfiles": []any{object{"name": "sys", "count": 1.0, "nodeLabels": object{"a": "b"}}},
				"windowsProfile":    object{"adminUsername": "azureuser", "adminPassword": "secret"},
			},
			id: cluster,
			body: arm.Body{
				"location": "westeurope", "sku": object{"name": "Base"},
				"identity": object{
					"type":                   "UserAssigned",
					"userAssignedIdentities": object{"/i/2": object{}, "/i/1": object{}},
				},
				"properties": object{
					"kubernetesVersion": "1.36",
					"agentPoolProfiles": []any{object{"name": "sys", "count": 1.0, "nodeLabels": object{"a": "b"}}},
					"windowsProfile":    object{"adminUsername": "azureuser", "adminPassword": "secret"},
				},
			},
			answer: arm.Body{
				"id": cluster, "name": "c", "type": "Microsoft.ContainerService/ManagedClusters",
				"location": "westeurope",
				"identity": object{
					"type":                   "UserAssigned",
					"userAssignedIdentities": object{"/i/2": object{"principalId": "p"}, "/i/1": object{}},
				},
				"properties": object{
					"kubernetesVersion": "1.36", "fqdn": "c.azmk8s.io", "provisioningState": "Succeeded",
					"agentPoolProfiles": []any{object{
						"name": "sys", "count": 1.0, "nodeLabels": object{"a": "b"},
						"eTag": "e",
					}},
					"windowsProfile": object{"adminUsername": "azureuser", "adminPassword": "told by mistake"},
				},
			},
			outputs: object{
				"azureApiVersion": "2025-09-01", "name": "c", "type": "Microsoft.ContainerService/ManagedClusters",
				"location": "westeurope",
				"identity": object{
					"type":                   "UserAssigned",
					"userAssignedIdentities": object{"/i/2": object{"principalId": "p"}, "/i/1": object{}},
				},
				"kubernetesVersion": "1.36", "fqdn": "c.azmk8s.io", "provisioningState": "Succeeded",
				"agentPoolProfiles": []any{object{
					"name": "sys", "count": 1.0, "nodeLabels": object{"a": "b"},
					"eTag": "e",
				}},
				"windowsProfile": object{"adminUsername": "azureuser"},
			},
			back: object{
				"location": "westeurope", "kubernetesVersion": "1.36",
				"identity":          object{"type": "UserAssigned", "userAssignedIdentities": []any{"/i/1", "/i/2"}},
				"agentPoolProfiles": []any{object{"name": "sys", "count": 1.0, "nodeLabels": object{"a": "b"}}},
				"windowsProfile":    object{"adminUsername": "azureuser"},
			},
		},
		{
			token: "azure-native:containerservice:AgentPool",
			inputs: object{
				"resourceGroupName": "rg", "resourceName": "c", "agentPoolName": "win",
				"type": "VirtualMachineScaleSets", "nodeTaints": []any{}, "tags": object{"a": "b"},
			},
			id: cluster + "/agentPools/win",
			body: arm.Body{"properties": object{
				"type": "VirtualMachineScaleSets", "nodeTaints": []any{},
				"tags": object{"a": "b"},
			}},
			answer: arm.Body{
				"id": cluster + "/agentPools/win", "name": "win",
				"type": "Microsoft.ContainerService/managedClusters/agentPools",
				"properties": object{
					"type": "VirtualMachineScaleSets", "nodeTaints": []any{},
					"currentOrchestratorVersion": "1.36.3",
				},
			},
			// A property at the top hides one with the same name below properties, as in azure-native.
			outputs: object{
				"azureApiVersion": "2025-09-01", "name": "win",
				"type":       "Microsoft.ContainerService/managedClusters/agentPools",
				"nodeTaints": []any{}, "currentOrchestratorVersion": "1.36.3",
			},
			back: object{"type": "Microsoft.ContainerService/managedClusters/agentPools", "nodeTaints": []any{}},
		},
		{
			token: "azure-native:network:VirtualNetwork",
			inputs: object{
				"resourceGroupName": "rg", "virtualNetworkName": "n", "location": "westeurope",
				"addressSpace": object{"addressPrefixes": []any{"10.0.0.0/8"}},
				"subnets": []any{object{
					"name": "s", "addressPrefix": "10.1.0.0/16", "networkSecurityGroup": object{"id": "/nsg"},
					"delegations": []any{object{"name": "d", "serviceName": "x"}},
				}},
			},
			id: group + "/providers/Microsoft.Network/virtualNetworks/n",
			body: arm.Body{"location": "westeurope", "properties": object{
				"addressSpace": object{"addressPrefixes": []any{"10.0.0.0/8"}},
				"subnets": []any{object{"name": "s", "properties": object{
					"addressPrefix": "10.1.0.0/16", "networkSecurityGroup": object{"id": "/nsg"},
					"delegations": []any{object{"name": "d", "properties": object{"serviceName": "x"}}},
				}}},
			}},
			answer: arm.Body{"location": "westeurope", "name": "n", "properties": object{
				"subnets": []any{object{
					"id": "/s", "name": "s",
					"properties": object{"addressPrefix": "10.1.0.0/16", "purpose": "p"},
				}},
			}},
			outputs: object{
				"azureApiVersion": "2024-05-01", "location": "westeurope", "name": "n",
				"subnets": []any{object{"id": "/s", "name": "s", "addressPrefix": "10.1.0.0/16", "purpose": "p"}},
			},
			back: object{
				"location": "westeurope",
				"subnets":  []any{object{"id": "/s", "name": "s", "addressPrefix": "10.1.0.0/16"}},
			},
		},
		{
			token: "azure-native:network:Subnet",
			inputs: object{
				"resourceGroupName": "rg", "virtualNetworkName": "n", "subnetName": "s",
				"addressPrefix": "10.1.0.0/16", "natGateway": object{"id": "/nat"},
			},
			id: group + "/providers/Microsoft.Network/virtualNetworks/n/subnets/s",
			body: arm.Body{"properties": object{
				"addressPrefix": "10.1.0.0/16",
				"natGateway":    object{"id": "/nat"},
			}},
			answer: arm.Body{
				"name": "s", "id": "/s",
				"properties": object{
					"addressPrefix": "10.1.0.0/16",
					"delegations":   []any{object{"name": "d", "properties": object{"serviceName": "x"}}},
				},
			},
			outputs: object{
				"azureApiVersion": "2024-05-01", "name": "s", "addressPrefix": "10.1.0.0/16",
				"delegations": []any{object{"name": "d", "serviceName": "x"}},
			},
			back: object{
				"name": "s", "addressPrefix": "10.1.0.0/16",
				"delegations": []any{object{"name": "d", "serviceName": "x"}},
			},
		},
		{
			token: "azure-native:network:PublicIPAddress",
			inputs: object{
				"resourceGroupName": "rg", "publicIpAddressName": "ip", "location": "westeurope",
				"sku": object{"name": "Standard"}, "zones": []any{"1"}, "publicIPAllocationMethod": "Static",
			},
			id: group + "/providers/Microsoft.Network/publicIPAddresses/ip",
			body: arm.Body{
				"location": "westeurope", "sku": object{"name": "Standard"}, "zones": []any{"1"},
				"properties": object{"publicIPAllocationMethod": "Static"},
			},
			answer: arm.Body{
				"name": "ip", "location": "westeurope",
				"properties": object{
					"publicIPAllocationMethod": "Static", "ipAddress": "20.0.0.1",
					"resourceGuid": "g",
				},
			},
			outputs: object{
				"azureApiVersion": "2024-05-01", "name": "ip", "location": "westeurope",
				"publicIPAllocationMethod": "Static", "ipAddress": "20.0.0.1", "resourceGuid": "g",
			},
			back: object{"location": "westeurope", "publicIPAllocationMethod": "Static", "ipAddress": "20.0.0.1"},
		},
		{
			token:  "azure-native:managedidentity:UserAssignedIdentity",
			inputs: object{"resourceGroupName": "rg", "resourceName": "i", "location": "westeurope"},
			id:     group + "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i",
			body:   arm.Body{"location": "westeurope"},
			answer: arm.Body{
				"name": "i", "location": "westeurope",
				"properties": object{"principalId": "p", "clientId": "c"},
			},
			outputs: object{
				"azureApiVersion": "2023-01-31", "name": "i", "location": "westeurope", "principalId": "p",
				"clientId": "c",
			},
			back: object{"location": "westeurope"},
		},
		{
			token:  "azure-native:authorization:RoleAssignment",
			inputs: object{"scope": cluster, "roleAssignmentName": "u", "principalId": "p", "roleDefinitionId": "/r"},
			id:     cluster + "/providers/Microsoft.Authorization/roleAssignments/u",
			body:   arm.Body{"properties": object{"principalId": "p", "roleDefinitionId": "/r"}},
			answer: arm.Body{
				"name":       "u",
				"properties": object{"principalId": "p", "scope": cluster, "createdOn": "2026"},
			},
			outputs: object{
				"azureApiVersion": "2022-04-01", "name": "u", "principalId": "p", "scope": cluster,
				"createdOn": "2026",
			},
			back: object{"principalId": "p", "scope": cluster},
		},
	} {
		t.Run(table[x.token].name(), func(t *testing.T) {
			t.Parallel()
			typ := table[x.token]
			id, err := typ.id(x.inputs)
			if err != nil {
				t.Fatal(err)
			}
			if id != x.id {
				t.Errorf("the ID is %s, want %s", id, x.id)
			}
			parsed, err := typ.parse(id)
			if err != nil {
				t.Fatal(err)
			}
			want := object{}
			for _, name := range typ.InPath() {
				want[name] = x.inputs[name]
			}
			if name, ok := want["scope"].(string); ok {
				want["scope"] = name[1:]
			}
			if diff := cmp.Diff(want, parsed); diff != "" {
				t.Errorf("parsed ID (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.body, typ.body(x.inputs)); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.outputs, typ.outputs(x.answer)); diff != "" {
				t.Errorf("outputs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.back, typ.inputsOf(typ.outputs(x.answer))); diff != "" {
				t.Errorf("inputs of the outputs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnIDOfAnotherTypeIsNotParsed(t *testing.T) {
	t.Parallel()
	_, err := table["azure-native:containerservice:AgentPool"].parse(cluster)
	want := "failed to parse '" + cluster +
		"' against the path '/subscriptions/SUBSCRIPTION/resourceGroups/{resourceGroupName}" +
		"/providers/Microsoft.ContainerService/managedClusters/{resourceName}/agentPools/{agentPoolName}'"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
