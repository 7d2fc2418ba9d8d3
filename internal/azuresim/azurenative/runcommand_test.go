package azurenative

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

const runCommandToken = "azure-native:compute:VirtualMachineRunCommandByVirtualMachine"

// Source: the example of the API's specification, as in the documentation of the SDK
// (https://www.pulumi.com/registry/packages/azure-native/api-docs/compute/virtualmachineruncommandbyvirtualmachine/).
func TestBodyRoundTripOfRunCommands(t *testing.T) {
	t.Parallel()
	typ := table[runCommandToken]
	inputs := object{
		"resourceGroupName": "rg", "vmName": "vm", "runCommandName": "run", "location": "westeurope",
		"tags": object{"a": "b"}, "source": object{"script": "echo"}, "timeoutInSeconds": 1800.0,
		"parameters":          []any{object{"name": "attempt", "value": "1"}},
		"protectedParameters": []any{object{"name": "secret", "value": "s"}}, "asyncExecution": false,
		"runAsPassword": "p", "treatFailureAsDeploymentFailure": true,
	}
	const want = group + "/providers/Microsoft.Compute/virtualMachines/vm/runCommands/run"
	if id, err := typ.id(inputs); err != nil || id != want {
		t.Errorf("the ID is %s (%v), want %s", id, err, want)
	}
	body := arm.Body{"location": "westeurope", "tags": object{"a": "b"}, "properties": object{
		"source": object{"script": "echo"}, "timeoutInSeconds": 1800.0,
		"parameters":          []any{object{"name": "attempt", "value": "1"}},
		"protectedParameters": []any{object{"name": "secret", "value": "s"}}, "asyncExecution": false,
		"runAsPassword": "p", "treatFailureAsDeploymentFailure": true,
	}}
	if diff := cmp.Diff(body, typ.body(inputs)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	answer := arm.Body{
		"name": "run", "type": "Microsoft.Compute/virtualMachines/runCommands", "location": "westeurope",
		"properties": object{
			"source": object{"script": "echo"}, "provisioningState": "Succeeded",
			"parameters":          []any{object{"name": "attempt", "value": "1"}},
			"protectedParameters": []any{object{"name": "secret", "value": "told by mistake"}},
			"runAsPassword":       "told by mistake",
		},
	}
	outputs := object{
		"azureApiVersion": "2024-11-01", "name": "run", "type": "Microsoft.Compute/virtualMachines/runCommands",
		"location": "westeurope", "source": object{"script": "echo"}, "provisioningState": "Succeeded",
		"parameters": []any{object{"name": "attempt", "value": "1"}},
	}
	if diff := cmp.Diff(outputs, typ.outputs(answer)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

// Protected parameters are only in the inputs of the state, as a secret, and stay there when a refresh does not return
// them.
func TestProtectedParametersAreNotOutputs(t *testing.T) {
	t.Parallel()
	server := newServer(t, newCloud())
	inputs := props(object{
		"resourceGroupName": "rg", "vmName": "vm", "runCommandName": "run", "location": "westeurope",
	}).Set("protectedParameters",
		property.New(props(object{"l": []any{object{"name": "a", "value": "b"}}}).Get("l").AsArray()).WithSecret(true))
	preview, err := server.Create(p.CreateRequest{Urn: urnOf(runCommandToken), Properties: inputs, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	created, err := server.Create(p.CreateRequest{Urn: urnOf(runCommandToken), Properties: inputs})
	if err != nil {
		t.Fatal(err)
	}
	for name, outputs := range map[string]property.Map{"preview": preview.Properties, "creation": created.Properties} {
		if diff := cmp.Diff(object{}, some(outputs, "protectedParameters")); diff != "" {
			t.Errorf("outputs of the %s (-want +got):\n%s", name, diff)
		}
	}
	read, err := server.Read(p.ReadRequest{
		Urn: urnOf(runCommandToken), ID: created.ID, Inputs: inputs, Properties: created.Properties,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := object{"protectedParameters": object{"secret": []any{object{"name": "a", "value": "b"}}}}
	if diff := cmp.Diff(want, some(read.Inputs, "protectedParameters")); diff != "" {
		t.Errorf("inputs after a refresh (-want +got):\n%s", diff)
	}
}
