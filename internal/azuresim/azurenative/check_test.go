package azurenative

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

func TestCheckCompletesTheInputs(t *testing.T) {
	t.Parallel()
	const cluster = "azure-native:containerservice:ManagedCluster"
	for _, x := range []struct {
		name, token string
		inputs, old object
		want        object
		failures    []string
	}{
		{
			name: "the location is the group's", token: cluster,
			inputs: object{"resourceGroupName": "rg", "resourceName": "c"},
			want: object{
				"resourceGroupName": "rg", "resourceName": "c", "location": "westeurope",
				"azureApiVersion": "2025-09-01",
			},
		},
		{
			name: "existing names and locations stay", token: cluster,
			inputs: object{"resourceGroupName": "rg"},
			old:    object{"resourceName": "web1234", "location": "uksouth", "__createBeforeDelete": true},
			want: object{
				"resourceGroupName": "rg", "resourceName": "web1234", "location": "uksouth",
				"__createBeforeDelete": true, "azureApiVersion": "2025-09-01",
			},
		},
		{
			name: "an explicit name stays explicit", token: cluster, inputs: object{"resourceGroupName": "rg"},
			old: object{"resourceName": "mine", "location": "uksouth"},
			want: object{
				"resourceGroupName": "rg", "resourceName": "mine", "location": "uksouth",
				"azureApiVersion": "2025-09-01",
			},
		},
		{
			name: "a pool has no location", token: "azure-native:containerservice:AgentPool",
			inputs: object{"resourceGroupName": "rg", "resourceName": "c", "agentPoolName": "p"},
			want: object{
				"resourceGroupName": "rg", "resourceName": "c", "agentPoolName": "p",
				"azureApiVersion": "2025-09-01",
			},
		},
		{
			name: "a group without a location", token: "azure-native:resources:ResourceGroup",
			inputs: object{"resourceGroupName": "new"},
			want:   object{"resourceGroupName": "new", "azureApiVersion": "2024-03-01"},
			failures: []string{
				"missing required property 'location'. Either set it explicitly or configure it with 'pulumi config " +
					"set azure-native:location <value>'.",
			},
		},
		{
			name: "an input that the SDK does not have", token: "azure-native:containerservice:AgentPool",
			inputs: object{"resourceGroupName": "rg", "agentPoolName": "p", "provisioningState": "x", "vmsize": "x"},
			want: object{
				"resourceGroupName": "rg", "agentPoolName": "p", "provisioningState": "x", "vmsize": "x",
				"azureApiVersion": "2025-09-01",
			},
			failures: []string{
				`azure-native:containerservice:AgentPool has no input "provisioningState"`,
				`azure-native:containerservice:AgentPool has no input "vmsize"`,
				"missing required property 'resourceName'",
			},
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			answer, err := newServer(t,
				newCloud()).Check(p.CheckRequest{Urn: urnOf(x.token), Inputs: props(x.inputs), State: props(x.old)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(x.want, some(answer.Inputs)); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.failures, reasons(answer.Failures)); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

// Source: getDefaultName in https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/provider/provider.go
// and https://github.com/pulumi/pulumi-azure-native/pull/519 (parts of other resources).
func TestDefaultNamesOfResources(t *testing.T) {
	t.Parallel()
	for token, pattern := range map[string]string{
		"azure-native:resources:ResourceGroup":              `^web[0-9a-f]{8}$`,
		"azure-native:containerservice:AgentPool":           `^web$`,
		"azure-native:containerservice:ManagedCluster":      `^web[0-9a-f]{8}$`,
		"azure-native:network:VirtualNetwork":               `^web[0-9a-f]{8}$`,
		"azure-native:network:Subnet":                       `^web$`,
		"azure-native:network:Route":                        `^web$`,
		"azure-native:network:PublicIPAddress":              `^web[0-9a-f]{8}$`,
		"azure-native:compute:VirtualMachineExtension":      `^web$`,
		runCommandToken:                                     `^web$`,
		"azure-native:managedidentity:UserAssignedIdentity": `^web[0-9a-f]{8}$`,
		"azure-native:authorization:RoleAssignment":         `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
	} {
		called := func(seed string) string {
			answer, err := newServer(t, newCloud()).Check(p.CheckRequest{Urn: urnOf(token), RandomSeed: []byte(seed)})
			if err != nil {
				t.Fatal(err)
			}
			name := answer.Inputs.Get(table[token].Named)
			if !name.IsString() || !regexp.MustCompile(pattern).MatchString(name.AsString()) {
				t.Fatalf("%s is called %v, which does not match %s", token, name, pattern)
			}
			if _, random := answer.Inputs.GetOk(change.CreateBeforeDelete); random != (pattern != "^web$") {
				t.Errorf("%s remembers that its name is random: %v", token, random)
			}
			return name.AsString()
		}
		one, again, other := called("a seed of 32 bytes, as of engines"), called("a seed of 32 bytes, as of engines"),
			called("another seed, for another resource")
		if one != again {
			t.Errorf("%s is called %s, and %s with the same seed", token, one, again)
		}
		if random := pattern != "^web$"; random != (one != other) {
			t.Errorf("%s is called %s, and %s with another seed", token, one, other)
		}
	}
}

func TestLocationOfAnUnknownGroupIsUnknown(t *testing.T) {
	t.Parallel()
	answer, err := newServer(t, newCloud()).Check(p.CheckRequest{
		Urn:    urnOf("azure-native:network:VirtualNetwork"),
		Inputs: property.NewMap(map[string]property.Value{"resourceGroupName": unknown}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{"location": "?", "resourceGroupName": "?"},
		some(answer.Inputs, "location", "resourceGroupName")); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if answer.Failures != nil {
		t.Errorf("failures %v", answer.Failures)
	}
}

func TestConfiguredLocationOverridesTheGroup(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]p.ConfigureRequest{
		"variable": {Variables: map[string]string{"azure-native:config:location": "uksouth"}},
		"argument": {Args: props(object{"location": "uksouth"})},
	} {
		server := newServer(t, newCloud())
		if err := server.Configure(request); err != nil {
			t.Fatal(err)
		}
		answer, err := server.Check(p.CheckRequest{
			Urn:    urnOf("azure-native:network:VirtualNetwork"),
			Inputs: props(object{"resourceGroupName": "rg"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if location := show(answer.Inputs.Get("location")); location != "uksouth" {
			t.Errorf("%s: the location is %v", name, location)
		}
	}
}

func TestATypeThatIsNotSimulatedIsRefused(t *testing.T) {
	t.Parallel()
	_, err := newServer(t, newCloud()).Check(p.CheckRequest{Urn: urnOf("azure-native:compute:Disk")})
	want := "Resource type azure-native:compute:Disk not found: the simulated azure-native has only some"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// canceledCloud does not answer until the request ends.
type canceledCloud struct{ *fakeCloud }

func (c canceledCloud) Get(ctx context.Context, _ string) (arm.Body, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestACanceledEngineEndsRequests(t *testing.T) {
	t.Parallel()
	server := newServer(t, canceledCloud{newCloud()})
	if err := server.Cancel(); err != nil {
		t.Fatal(err)
	}
	_, err := server.Read(p.ReadRequest{Urn: urnOf("azure-native:resources:ResourceGroup"), ID: group})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
