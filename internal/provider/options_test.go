package provider

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// TestFreeOptionsAreChecked sets misspelled arguments of a resource of azure-native, which no schema checks.
func TestFreeOptionsAreChecked(t *testing.T) {
	t.Parallel()
	r := read(reflect.TypeFor[aks.ClusterArgs](), resource.NewPropertyMapFromMap(map[string]any{
		"poolOptions": map[string]any{"win22": map[string]any{"options": map[string]any{"maxCout": 3.0}}},
		"options": map[string]any{
			"securityProfile": map[string]any{"workloadIdentity": map[string]any{"enabeld": true}},
			"networkProfile":  map[string]any{"outboundType": 4.0, "dnsServiceIP": []any{}},
		},
	}))
	var got []string
	for _, err := range r.decode(&aks.ClusterArgs{}, provider.ConstructInputs{}) {
		got = append(got, err.Error())
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{
		`options.securityProfile.workloadIdentity.enabeld: Invalid value: "enabeld": unknown key: ` +
			`did you mean "enabled"?`,
		`options.networkProfile.dnsServiceIP: Invalid value: must be a string, not []`,
		`poolOptions[win22].options.maxCout: Invalid value: "maxCout": unknown key: did you mean "maxCount"?`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("without %s:\n%.2000s", want, all)
		}
	}
}

// TestFreeOptionsArrive compares the resources of a cluster in Go and of one through the plugin.
func TestFreeOptionsArrive(t *testing.T) {
	t.Parallel()
	const cluster = "azure-native:containerservice:ManagedCluster"
	calls := mocktest.Calls(func(mocktest.Call) (resource.PropertyMap, error) { return resource.PropertyMap{}, nil })
	typed, typedErr := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
			KubernetesVersion: "1.36", Pools: []topology.Pool{{
				Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5",
			}},
			WindowsAdmin: aks.WindowsAdmin{
				Password: pulumi.ToSecret(pulumi.String("hush-A1-hush-hush")).(pulumi.StringOutput),
			},
			Options: &containerservice.ManagedClusterArgs{
				SupportPlan: pulumi.String("KubernetesOfficial"),
				SecurityProfile: containerservice.ManagedClusterSecurityProfileArgs{
					WorkloadIdentity: containerservice.ManagedClusterSecurityProfileWorkloadIdentityArgs{
						Enabled: pulumi.Bool(true),
					},
				},
			},
		})
		return err
	}, mocktest.Preview(), calls)
	untyped, untypedErr := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := register(ctx, "mixedkube:aks:Cluster", "shop", pulumi.Map{
			"kubernetesVersion": pulumi.String("1.36"),
			"pools": pulumi.Array{pulumi.Map{
				"name": pulumi.String("sys"), "platform": pulumi.String("linux"), "mode": pulumi.String("System"),
				"size": pulumi.String("Standard_D4s_v5"),
			}},
			"windowsAdmin": pulumi.Map{"password": pulumi.ToSecret(pulumi.String("hush-A1-hush-hush"))},
			"options": pulumi.Map{
				"supportPlan":     pulumi.String("KubernetesOfficial"),
				"securityProfile": pulumi.Map{"workloadIdentity": pulumi.Map{"enabled": pulumi.Bool(true)}},
			},
		})
		return err
	}, mocktest.Preview(), calls, served(t))
	if typedErr != nil || untypedErr != nil {
		t.Fatalf("in Go: %v\nthrough the plugin: %v", typedErr, untypedErr)
	}
	want, got := typed.String(), untyped.String()
	if want != got {
		t.Errorf("in Go:\n%s\nthrough the plugin:\n%s", want, got)
	}
	if len(untyped.ByType(cluster)) != 1 || !strings.Contains(got, "workloadIdentity") {
		t.Errorf("no cluster with the options:\n%s", got)
	}
}

// TestSecretOutputsOfTheComponentItself gives clusters the option that SDKs and programs in YAML set for the secret
// outputs in the schema. No child gets it, and an output of a child is still an error if no child stands for the
// cluster.
func TestSecretOutputsOfTheComponentItself(t *testing.T) {
	t.Parallel()
	for token, azure := range map[string]mocktest.Option{
		"mixedkube:aks:Cluster": akstest.Azure(), "mixedkube:kubeadm:Cluster": kubeadmtest.Azure(),
	} {
		t.Run(token, func(t *testing.T) {
			t.Parallel()
			secret := func(outputs ...string) (*mocktest.Graph, error) {
				return run(func(ctx *pulumi.Context) error {
					_, err := register(ctx, token, "shop", asInput(good(t)[token]).(pulumi.Map),
						pulumi.AdditionalSecretOutputs(outputs))
					return err
				}, mocktest.Preview(), azure, served(t))
			}
			graph, err := secret("kubeconfig")
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range graph.Resources() {
				if r.Type != token && slices.Contains(r.AdditionalSecretOutputs, "kubeconfig") {
					t.Errorf("%s has the secret output", r.URN)
				}
			}
			const want = "opts.additionalSecretOutputs: Forbidden: "
			if _, err := secret("kubeconfig", "fqdn"); token == "mixedkube:kubeadm:Cluster" &&
				(err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("the error is %v, want %s", err, want)
			}
		})
	}
}
