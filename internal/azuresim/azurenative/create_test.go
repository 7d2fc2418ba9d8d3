package azurenative

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

const clusterToken = "azure-native:containerservice:ManagedCluster"

// clusterInputs have a secret password.
func clusterInputs() property.Map {
	password := property.New("Pass-word-1234").WithSecret(true)
	return props(object{
		"resourceGroupName": "rg", "resourceName": "c", "location": "westeurope", "tags": object{"a": "b"},
		"oidcIssuerProfile": object{"enabled": true},
		"identity":          object{"type": "UserAssigned", "userAssignedIdentities": []any{"/i"}},
		"agentPoolProfiles": []any{object{"name": "sys"}},
	}).Set("windowsProfile",
		property.New(map[string]property.Value{"adminUsername": property.New("azureuser"), "adminPassword": password})).
		Set("dnsPrefix", property.New("c").WithSecret(true))
}

func TestCreateIsOnePUTWithAllInputs(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	answer, err := newServer(t, cloud).Create(p.CreateRequest{Urn: urnOf(clusterToken), Properties: clusterInputs()})
	if err != nil {
		t.Fatal(err)
	}
	want := []arm.Body{{
		"location": "westeurope", "tags": object{"a": "b"},
		"identity": object{"type": "UserAssigned", "userAssignedIdentities": object{"/i": object{}}},
		"properties": object{
			"oidcIssuerProfile": object{"enabled": true}, "agentPoolProfiles": []any{object{"name": "sys"}},
			"dnsPrefix":      "c",
			"windowsProfile": object{"adminUsername": "azureuser", "adminPassword": "Pass-word-1234"},
		},
	}}
	if diff := cmp.Diff(want, cloud.puts); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if answer.ID != cluster {
		t.Errorf("the ID is %s", answer.ID)
	}
	// A secret input is a secret output. Passwords are not outputs.
	if diff := cmp.Diff(object{
		"azureApiVersion": "2025-09-01", "name": "c", "type": "Microsoft.Test/managedClusters",
		"location": "westeurope", "tags": object{"a": "b"},
		"identity":          object{"type": "UserAssigned", "userAssignedIdentities": object{"/i": object{}}},
		"provisioningState": "Succeeded",
		"oidcIssuerProfile": object{"enabled": true}, "agentPoolProfiles": []any{object{"name": "sys"}},
		"dnsPrefix":      object{"secret": "c"},
		"windowsProfile": object{"adminUsername": "azureuser"},
	}, some(answer.Properties)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestPreviewReturnsInputsWithoutRequests(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	inputs := clusterInputs().Set("resourceGroupName", unknown).Set("kubernetesVersion", unknown)
	answer, err := newServer(t,
		cloud).Create(p.CreateRequest{Urn: urnOf(clusterToken), Properties: inputs, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(cloud.puts) > 0 {
		t.Errorf("a preview sends %v", cloud.puts)
	}
	if diff := cmp.Diff(object{
		"name": "?", "kubernetesVersion": "?", "fqdn": "?", "location": "westeurope", "tags": object{"a": "b"},
		"oidcIssuerProfile": object{"enabled": true, "issuerURL": "?"}, "dnsPrefix": object{"secret": "c"},
		"windowsProfile": object{
			"adminUsername": "azureuser", "enableCSIProxy": "?", "gmsaProfile": "?",
			"licenseType": "?",
		},
		"identity": object{
			"type": "UserAssigned", "delegatedResources": "?", "principalId": "?", "tenantId": "?",
			"userAssignedIdentities": "?",
		},
	}, some(answer.Properties, "name", "resourceGroupName", "kubernetesVersion", "fqdn", "location", "tags",
		"oidcIssuerProfile", "dnsPrefix",
		"windowsProfile", "identity")); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	pools := answer.Properties.Get("agentPoolProfiles").AsArray()
	if diff := cmp.Diff(object{"name": "sys", "currentOrchestratorVersion": "?"},
		some(pools.Get(0).AsMap(), "name", "currentOrchestratorVersion")); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}

	update, err := newServer(t, cloud).Update(p.UpdateRequest{
		Urn: urnOf(clusterToken), ID: cluster, Inputs: inputs,
		State: props(object{"name": "c", "location": "westeurope", "fqdn": "x"}), DryRun: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{"name": "c", "location": "westeurope", "fqdn": "?"},
		some(update.Properties, "name", "location", "fqdn")); diff != "" {
		t.Errorf("outputs of an update (-want +got):\n%s", diff)
	}
}

func TestExistingResourcesAreNotCreated(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	_, err := newServer(t, cloud).Create(p.CreateRequest{
		Urn:        urnOf("azure-native:resources:ResourceGroup"),
		Properties: props(object{"resourceGroupName": "rg", "location": "westeurope"}),
	})
	want := "cannot create already existing resource '" + group + "'"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if len(cloud.puts) > 0 {
		t.Errorf("it was sent: %v", cloud.puts)
	}
}

func TestFailedCreationIsRecordedOnlyIfItBegan(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name    string
		refusal *arm.Error
		// keep is true if the resource exists after the request.
		keep, remembered bool
	}{
		{"refused", &arm.Error{Status: 400, Code: "InvalidParameter", Message: `it is "wrong"`}, false, false},
		{
			"made, and answered with an error",
			&arm.Error{Status: 500, Code: "InternalServerError", Message: "retry"}, true, false,
		},
		// Source: putOrPatch in
		// https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/azure/client_azcore.go (created,
		// whatever the code), and ResultHelper of azcore's pollers (the status).
		{"began and failed", &arm.Error{Status: 200, Code: "InternalOperationError", Message: "failed"}, true, true},
		{
			"began and failed with a code of its own",
			&arm.Error{Status: 200, Code: "VMExtensionProvisioningError", Message: "failed"}, true, true,
		},
		{
			"began and failed, and nothing exists",
			&arm.Error{Status: 200, Code: "InternalOperationError", Message: "failed"}, false, false,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud()
			cloud.refuse = func(string, arm.Body) (bool, error) { return x.keep, x.refusal }
			server := newServer(t, cloud)
			answer, err := server.Create(p.CreateRequest{Urn: urnOf(clusterToken), Properties: clusterInputs()})
			text := x.refusal.Message
			if !x.refusal.Began() {
				text = x.refusal.Body(cluster)
			}
			want := fmt.Sprintf(`Status=%d Code="%s" Message="%s"`, x.refusal.Status, x.refusal.Code, text)
			if err == nil || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
			if x.remembered {
				if answer.ID != cluster || answer.PartialState == nil ||
					!cmp.Equal(answer.PartialState.Reasons, []string{want}) {
					t.Errorf("what is remembered is %v", answer)
				}
				if state := show(answer.Properties.Get("provisioningState")); state != "Failed" {
					t.Errorf("its state is %v", state)
				}
				return
			}
			if answer.PartialState != nil || answer.ID != "" {
				t.Errorf("what is remembered is %v", answer)
			}
			// The next creation finds the resource that the engine does not know.
			cloud.refuse = nil
			_, err = server.Create(p.CreateRequest{Urn: urnOf(clusterToken), Properties: clusterInputs()})
			want = ""
			if x.keep {
				want = "cannot create already existing resource '" + cluster + "'"
			}
			if have := message(err); have != want {
				t.Errorf("the next creation says %q, want %q", have, want)
			}
		})
	}
}

func TestUpdatePutsToTheSameID(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	server := newServer(t, cloud)
	if _, err := server.Create(p.CreateRequest{Urn: urnOf(clusterToken), Properties: clusterInputs()}); err != nil {
		t.Fatal(err)
	}
	answer, err := server.Update(p.UpdateRequest{
		Urn: urnOf(clusterToken), ID: cluster,
		Inputs: clusterInputs().Delete("tags"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := cloud.puts[0]
	delete(want, "tags")
	if diff := cmp.Diff(want, cloud.puts[1]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(object{"dnsPrefix": object{"secret": "c"}},
		some(answer.Properties, "tags", "dnsPrefix")); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestFailedUpdateIsRecordedOnlyIfItBegan(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name       string
		refusal    *arm.Error
		before     string
		remembered bool
	}{
		{"refused", &arm.Error{Status: 409, Code: "OperationNotAllowed", Message: "no"}, "Succeeded", false},
		{
			"refused, of what had failed before", &arm.Error{Status: 409, Code: "OperationNotAllowed", Message: "no"},
			"Failed", false,
		},
		{
			"began and failed", &arm.Error{Status: 200, Code: "InternalOperationError", Message: "no"}, "Succeeded",
			true,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud()
			server := newServer(t, cloud)
			if _, err := server.Create(p.CreateRequest{
				Urn:        urnOf(clusterToken),
				Properties: clusterInputs(),
			}); err != nil {
				t.Fatal(err)
			}
			cloud.resources[cluster]["properties"].(object)["provisioningState"] = x.before
			cloud.refuse = func(string, arm.Body) (bool, error) { return x.remembered, x.refusal }
			answer, err := server.Update(p.UpdateRequest{
				Urn: urnOf(clusterToken), ID: cluster,
				Inputs: clusterInputs(),
			})
			want := failure(cluster, x.refusal).Error()
			if have := message(err); have != want {
				t.Errorf("the error is %s, want %s", have, want)
			}
			if (answer.PartialState != nil) != x.remembered {
				t.Errorf("what is remembered is %v", answer)
			}
		})
	}
}

func TestNetworksDoNotChangeSubnetsThatAreResources(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	server := newServer(t, cloud)
	urn := urnOf("azure-native:network:VirtualNetwork")
	inputs := props(object{"resourceGroupName": "rg", "virtualNetworkName": "n", "location": "westeurope"})
	created, err := server.Create(p.CreateRequest{Urn: urn, Properties: inputs})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(arm.Body{
		"location":   "westeurope",
		"properties": object{"subnets": []any{}, "virtualNetworkPeerings": []any{}},
	}, cloud.puts[0]); diff != "" {
		t.Errorf("creation (-want +got):\n%s", diff)
	}
	subnets := []any{object{"name": "s", "properties": object{"addressPrefix": "10.1.0.0/16"}}}
	cloud.resources[created.ID]["properties"].(object)["subnets"] = subnets
	if _, err := server.Update(p.UpdateRequest{Urn: urn, ID: created.ID, Inputs: inputs}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(arm.Body{
		"location":   "westeurope",
		"properties": object{"subnets": subnets, "virtualNetworkPeerings": []any{}},
	}, cloud.puts[1]); diff != "" {
		t.Errorf("update (-want +got):\n%s", diff)
	}
	read, err := server.Read(p.ReadRequest{Urn: urn, ID: created.ID, Inputs: inputs, Properties: created.Properties})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := read.Inputs.GetOk("subnets"); ok {
		t.Errorf("a refresh takes the subnets for inputs: %v", read.Inputs)
	}
	// Source: Read in https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/provider/provider.go
	// (outputsWithoutIgnores).
	if left := show(read.Properties.Get("subnets")); !cmp.Equal(left, []any{}) {
		t.Errorf("after a refresh the state has the subnets %v, want none", left)
	}
	if left := cloud.resources[created.ID]["properties"].(object)["subnets"]; !cmp.Equal(left, any(subnets)) {
		t.Errorf("a refresh leaves the subnets %v in Azure", left)
	}
}

func TestDeletingDeletedResourcesSucceeds(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	server := newServer(t, cloud)
	for range 2 {
		if err := server.Delete(p.DeleteRequest{
			Urn: urnOf("azure-native:resources:ResourceGroup"),
			ID:  group,
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(cloud.resources) > 0 {
		t.Errorf("there is %v", cloud.resources)
	}
}
