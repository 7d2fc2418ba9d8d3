package azurenative

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

const networkProvider = group + "/providers/Microsoft.Network/"

// wired is a resource that connects machines: its inputs, and the body of its PUT.
type wired struct {
	Token  string
	Inputs object
	ID     string
	Body   arm.Body
}

// The simulated Azure accepts these bodies, and neither a refresh nor an update with the same inputs changes anything.
func TestNetworkBodiesAreAcceptedByAzure(t *testing.T) {
	t.Parallel()
	cloud, err := arm.Open(t.TempDir(), arm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cloud.Put(t.Context(), group, arm.Body{"location": "westeurope"}); err != nil {
		t.Fatal(err)
	}
	server := newServer(t, cloud)
	// The resources are in the order in which they can be created.
	for _, w := range casetest.Files[[]wired](t, "testdata/wire", bodyIDs...)["network"] {
		typ, inputs, want := table[w.Token], maps.Clone(w.Inputs), maps.Clone(w.Body)
		inputs["resourceGroupName"] = "rg"
		if typ.location {
			inputs["location"], want["location"] = "westeurope", "westeurope"
		}
		created, err := server.Create(p.CreateRequest{Urn: urnOf(w.Token), Properties: props(inputs)})
		if err != nil {
			t.Fatalf("%s: %v", w.Token, err)
		}
		if created.ID != w.ID {
			t.Errorf("%s has the ID %s, want %s", w.Token, created.ID, w.ID)
		}
		body := typ.body(inputs)
		for _, name := range typ.maintained {
			if _, ok := inputs[name]; !ok {
				body["properties"].(object)[name] = []any{}
			}
		}
		if diff := cmp.Diff(want, body); diff != "" {
			t.Errorf("%s: body (-want +got):\n%s", w.Token, diff)
		}
		// An input is an output in the same place.
		for key := range w.Inputs {
			if _, ok := created.Properties.GetOk(key); !ok && !slices.Contains(typ.InPath(), key) {
				t.Errorf("%s has no output %s", w.Token, key)
			}
		}
		read, err := server.Read(p.ReadRequest{
			Urn: urnOf(w.Token), ID: created.ID, Inputs: props(inputs),
			Properties: created.Properties,
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(inputs, plainMap(read.Inputs)); diff != "" {
			t.Errorf("%s: a refresh changes the inputs (-before +after):\n%s", w.Token, diff)
		}
		updated, err := server.Update(p.UpdateRequest{
			Urn: urnOf(w.Token), ID: created.ID, Inputs: props(inputs),
			State: created.Properties,
		})
		if err != nil {
			t.Fatalf("%s: %v", w.Token, err)
		}
		if diff := cmp.Diff(some(created.Properties), some(updated.Properties)); diff != "" {
			t.Errorf("%s: an update changes the outputs (-before +after):\n%s", w.Token, diff)
		}
	}
}

// Rules, routes and pools that are resources of their own stay if an update does not set them.
func TestRulesAndPoolsThatAreNotInputsAreRetained(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		token, id string
		inputs    object
		created   object
	}{
		{
			"azure-native:network:NetworkSecurityGroup", networkProvider + "networkSecurityGroups/n",
			object{"networkSecurityGroupName": "n"},
			object{"securityRules": []any{}},
		},
		{
			"azure-native:network:RouteTable", networkProvider + "routeTables/n",
			object{"routeTableName": "n"},
			object{"routes": []any{}},
		},
		{
			"azure-native:network:LoadBalancer", networkProvider + "loadBalancers/n",
			object{"loadBalancerName": "n"},
			object{"backendAddressPools": []any{}, "inboundNatRules": []any{}},
		},
	} {
		t.Run(x.token, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud()
			server := newServer(t, cloud)
			x.inputs["resourceGroupName"] = "rg"
			if _, err := server.Create(p.CreateRequest{Urn: urnOf(x.token), Properties: props(x.inputs)}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(arm.Body{"properties": x.created}, cloud.puts[0]); diff != "" {
				t.Errorf("creation (-want +got):\n%s", diff)
			}
			want := object{}
			for name := range x.created {
				want[name] = []any{object{"name": name, "properties": object{}}}
				cloud.resources[x.id]["properties"].(object)[name] = want[name]
			}
			if _, err := server.Update(p.UpdateRequest{
				Urn: urnOf(x.token), ID: x.id,
				Inputs: props(x.inputs),
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(arm.Body{"properties": want}, cloud.puts[1]); diff != "" {
				t.Errorf("update (-want +got):\n%s", diff)
			}
		})
	}
}

// Protected settings are only in the inputs of the state, as a secret.
func TestProtectedSettingsAreNotOutputs(t *testing.T) {
	t.Parallel()
	cloud := newCloud()
	server := newServer(t, cloud)
	const token = "azure-native:compute:VirtualMachineExtension"
	inputs := props(object{
		"resourceGroupName": "rg", "vmName": "vm", "vmExtensionName": "run",
		"location": "westeurope",
	}).
		Set("protectedSettings", property.New(props(object{"script": "s"})).WithSecret(true)).
		Set("settings", property.New(props(object{"a": "b"})).WithSecret(true))
	preview, err := server.Create(p.CreateRequest{Urn: urnOf(token), Properties: inputs, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	created, err := server.Create(p.CreateRequest{Urn: urnOf(token), Properties: inputs})
	if err != nil {
		t.Fatal(err)
	}
	want := object{"settings": object{"secret": object{"a": "b"}}}
	for name, outputs := range map[string]property.Map{"preview": preview.Properties, "creation": created.Properties} {
		if diff := cmp.Diff(want, some(outputs, "settings", "protectedSettings")); diff != "" {
			t.Errorf("outputs of the %s (-want +got):\n%s", name, diff)
		}
	}
	read, err := server.Read(p.ReadRequest{
		Urn: urnOf(token), ID: created.ID, Inputs: inputs,
		Properties: created.Properties,
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{"protectedSettings": object{"secret": object{"script": "s"}}},
		some(read.Inputs, "protectedSettings")); diff != "" {
		t.Errorf("inputs after a refresh (-want +got):\n%s", diff)
	}
}

func TestSecretsInListsAreInNoPreview(t *testing.T) {
	t.Parallel()
	answer, err := newServer(t, newCloud()).Create(p.CreateRequest{
		Urn: urnOf("azure-native:compute:VirtualMachine"), DryRun: true,
		Properties: props(object{"osProfile": object{
			"adminPassword": "p",
			"windowsConfiguration": object{"additionalUnattendContent": []any{object{
				"settingName": "AutoLogon",
				"content":     "c",
			}}},
		}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	profile := answer.Properties.Get("osProfile").AsMap()
	if _, ok := profile.GetOk("adminPassword"); ok {
		t.Error("the password is an output")
	}
	content := profile.Get("windowsConfiguration").AsMap().Get("additionalUnattendContent").AsArray().Get(0).AsMap()
	if diff := cmp.Diff(object{"settingName": "AutoLogon"}, some(content, "settingName", "content")); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}
