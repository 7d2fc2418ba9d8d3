package azurenative

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

func TestARefreshChangesTheInputsThatChangedOutside(t *testing.T) {
	t.Parallel()
	secret := property.New("p").WithSecret(true)
	inputs := props(object{
		"resourceGroupName": "rg", "resourceName": "c", "kubernetesVersion": "1.35", "tags": object{"a": "b"},
		"agentPoolProfiles": []any{object{"name": "sys", "count": 1.0, "nodeTaints": []any{}}},
	}).Set("windowsProfile", property.New(map[string]property.Value{"adminPassword": secret})).Set("supportPlan",
		secret)
	state := props(object{
		"name": "c", "kubernetesVersion": "1.35", "tags": object{"a": "b"}, "fqdn": "f", "supportPlan": "p",
		"windowsProfile": object{"licenseType": "None"},
		"agentPoolProfiles": []any{object{
			"name": "sys", "count": 1.0, "nodeTaints": []any{}, "eTag": "1",
			"maxPods": 30.0,
		}},
	})
	cloud := newCloud()
	cloud.resources[cluster] = object{
		"id": cluster, "name": "c", "tags": object{"a": "c", "new": "d"},
		"properties": object{
			"kubernetesVersion": "1.36", "fqdn": "g", "supportPlan": "KubernetesOfficial", "disableLocalAccounts": true,
			"windowsProfile": object{"licenseType": "Windows_Server"},
			"agentPoolProfiles": []any{
				object{"name": "sys", "count": 2.0, "nodeTaints": []any{}, "eTag": "2", "maxPods": 30.0},
				object{"name": "other", "count": 1.0, "eTag": "1"},
			},
		},
	}
	answer, err := newServer(t,
		cloud).Read(p.ReadRequest{Urn: urnOf(clusterToken), ID: cluster, Inputs: inputs, Properties: state})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{
		"resourceGroupName": "rg", "resourceName": "c", "kubernetesVersion": "1.36",
		"tags":        object{"a": "c", "new": "d"},
		"supportPlan": object{"secret": "KubernetesOfficial"}, "disableLocalAccounts": true,
		"windowsProfile": object{"adminPassword": object{"secret": "p"}, "licenseType": "Windows_Server"},
		"agentPoolProfiles": []any{
			object{"name": "sys", "count": 2.0, "nodeTaints": []any{}},
			object{"name": "other", "count": 1.0},
		},
	}, some(answer.Inputs)); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(object{"fqdn": "g", "kubernetesVersion": "1.36"},
		some(answer.Properties, "fqdn", "kubernetesVersion")); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestARefreshWithoutChangesLeavesTheInputs(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	server := newServer(t, cloud)
	created, err := server.Create(p.CreateRequest{Urn: urnOf(clusterToken), Properties: clusterInputs()})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Read(p.ReadRequest{
		Urn: urnOf(clusterToken), ID: created.ID, Inputs: clusterInputs(),
		Properties: created.Properties,
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(some(clusterInputs()), some(answer.Inputs)); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(some(created.Properties), some(answer.Properties)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestReadOfDeletedResourceReturnsNoID(t *testing.T) {
	t.Parallel()
	answer, err := newServer(t,
		newCloud()).Read(p.ReadRequest{Urn: urnOf(clusterToken), ID: cluster, Inputs: clusterInputs()})
	if err != nil || answer.ID != "" {
		t.Errorf("%v, %v", answer, err)
	}
}

func TestAPoolIsImported(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	id := cluster + "/agentPools/win"
	cloud.resources[id] = object{
		"id": id, "name": "win",
		"type": "Microsoft.ContainerService/managedClusters/agentPools", "properties": object{
			"type": "VirtualMachineScaleSets", "count": 2.0, "provisioningState": "Succeeded",
			"nodeLabels": object{"a": "b"},
		},
	}
	answer, err := newServer(t,
		cloud).Read(p.ReadRequest{Urn: urnOf("azure-native:containerservice:AgentPool"), ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{
		"resourceGroupName": "rg", "resourceName": "c", "agentPoolName": "win", "type": "VirtualMachineScaleSets",
		"count": 2.0, "nodeLabels": object{"a": "b"},
	}, some(answer.Inputs)); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if answer.ID != id {
		t.Errorf("the ID is %s", answer.ID)
	}
}
