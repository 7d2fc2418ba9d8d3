package stackconfig_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// decodeYAML decodes a valid configuration with additional lines.
func decodeYAML(t *testing.T, more string) (stackconfig.Config, error) {
	t.Helper()
	values := map[string]any{}
	for _, text := range []string{
		"mixedkube:cluster:\n  pools:\n    - {name: sys, platform: linux}\nmixedkube:workloads: []\n", more,
	} {
		part := map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &part); err != nil {
			t.Fatal(err)
		}
		maps.Copy(values, part)
	}
	return stackconfig.Decode(values)
}

func TestDecodeAKS(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     *stackconfig.AKS
	}{
		{"an existing cluster", "", nil},
		{"all defaults", "mixedkube:aks: {}\nmixedkube:windowsPassword: {secure: v1:abc}", &stackconfig.AKS{}},
		{
			"everything", `
mixedkube:windowsPassword: hush
mixedkube:aks:
  resourceGroupName: shop-group
  clusterName: shop
  location: westeurope
  azureCLI: true
  entraID: {adminGroupObjectIDs: [g], azureRBAC: true, disableLocalAccounts: true}
  login: {mode: spn, clientID: c, tenantID: t, useAzureRMEnvVars: true}
  unprotected: true
  retryBackoffSeconds: 0.5
  network: {mode: pod-subnet, policy: calico, outboundType: managedNATGateway, nodeSubnetID: /a, podSubnetID: /b}
  windowsAdmin: {username: operator, licenseType: Windows_Server}
`, &stackconfig.AKS{
				ResourceGroupName: "shop-group", ClusterName: "shop", Location: "westeurope", AzureCLI: true,
				Unprotected: true, RetryBackoffSeconds: 0.5,
				Network: plan.Network{
					Mode: "pod-subnet", Policy: "calico", OutboundType: "managedNATGateway", NodeSubnetID: "/a",
					PodSubnetID: "/b",
				},
				EntraID: &stackconfig.EntraID{
					AdminGroupObjectIDs: []string{"g"}, AzureRBAC: true, DisableLocalAccounts: true,
				},
				Login: plan.Login{
					Mode: plan.LoginServicePrincipal, ClientID: "c", TenantID: "t", UseAzureRMEnvVars: true,
				},
				WindowsAdmin: plan.WindowsAdmin{Username: "operator", LicenseType: "Windows_Server"},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := decodeYAML(t, tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.AKS); diff != "" {
				t.Errorf("AKS (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeAKSErrors(t *testing.T) {
	t.Parallel()
	const missing = "mixedkube:windowsPassword: Required value: set it with `pulumi config set --secret " +
		"windowsPassword`"
	tests := []struct{ name, in, want string }{
		{"no password", "mixedkube:aks: {}", missing},
		{
			"no object, and no password", "mixedkube:aks: yes please",
			"\n  mixedkube:aks: Invalid value: \"yes please\": must be an object\n  " + missing,
		},
		{
			"unknown keys and wrong types", `
mixedkube:windowsPassword: hush
mixedkube:aks:
  azureCLI: sometimes
  network: {mod: overlay}
  windowsAdmin: {username: 1, password: hush-too}
  location: [here]
`, `
  mixedkube:aks.azureCLI: Invalid value: "sometimes": must be true or false
  mixedkube:aks.location: Invalid value: "a list": must be a string
  mixedkube:aks.network.mod: Invalid value: "mod": unknown key: did you mean "mode"? ` +
				`(use mode, policy, outboundType, nodeSubnetID or podSubnetID)
  mixedkube:aks.windowsAdmin.password: Invalid value: "password": unknown key (use username, licenseType or gmsa)
  mixedkube:aks.windowsAdmin.username: Invalid value: 1: must be a string: write it in quotes`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeYAML(t, tt.in)
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "stack configuration:"), " ")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if strings.Contains(err.Error(), "hush") {
				t.Errorf("a password shows: %v", err)
			}
		})
	}
}
