package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// entraKubeconfig returns the kubeconfig that Azure returns for users of a cluster with Microsoft Entra ID
// (https://github.com/pulumi/pulumi-azure-native/issues/2399), with more flags at the end of the arguments.
func entraKubeconfig(flags ...string) string {
	text := `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: Y2E=
    server: https://shop.hcp.westeurope.azmk8s.io:443
  name: shop
contexts:
- context:
    cluster: shop
    user: clusterUser_rg_shop
  name: shop
current-context: shop
kind: Config
preferences: {}
users:
- name: clusterUser_rg_shop
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      args:
      - get-token
      - --environment
      - AzureChinaCloud
      - --server-id
      - server
      - --client-id
      - public
      - --tenant-id
      - tenant
      - --login
      - devicecode
MORE      command: kubelogin
      env: null
      installHint: install kubelogin
      provideClusterInfo: false
`
	var more strings.Builder
	for _, flag := range flags {
		more.WriteString("      - " + flag + "\n")
	}
	return strings.Replace(text, "MORE", more.String(), 1)
}

// The expected arguments are those that kubelogin's own converter writes, according to
// https://github.com/Azure/kubelogin/blob/main/pkg/internal/converter/convert.go.
func TestKubeconfigHasTheArgumentsOfTheMode(t *testing.T) {
	t.Parallel()
	all := plan.Login{
		ClientID: "mine", TenantID: "home", IdentityResourceID: "/identity", ServiceConnectionID: "connection",
		UseAzureRMEnvVars: true,
	}
	const people = " --server-id server --client-id public --tenant-id tenant --environment AzureChinaCloud"
	const configured = " --server-id server --client-id mine --tenant-id home --environment AzureChinaCloud"
	for mode, want := range map[plan.LoginMode]struct{ least, most string }{
		"": {"azurecli --server-id server", "azurecli --server-id server --tenant-id home"},
		plan.LoginAzureCLI: {
			"azurecli --server-id server", "azurecli --server-id server --tenant-id home",
		},
		plan.LoginAzureDeveloperCLI: {"azd --server-id server", "azd --server-id server --tenant-id home"},
		plan.LoginManagedIdentity: {
			"msi --server-id server", "msi --server-id server --client-id mine --identity-resource-id /identity",
		},
		plan.LoginWorkloadIdentity: {
			"workloadidentity --server-id server",
			"workloadidentity --server-id server --client-id mine --tenant-id home --use-azurerm-env-vars",
		},
		plan.LoginAzurePipelines: {
			"azurepipelines --server-id server", "azurepipelines --server-id server --client-id mine " +
				"--tenant-id home --azure-pipelines-service-connection-id connection",
		},
		plan.LoginServicePrincipal: {"spn" + people, "spn" + configured + " --legacy --use-azurerm-env-vars"},
		plan.LoginUsernamePassword: {"ropc" + people, "ropc" + configured + " --legacy"},
		plan.LoginDeviceCode:       {"devicecode" + people, "devicecode" + configured + " --legacy"},
		plan.LoginInteractive:      {"interactive" + people, "interactive" + configured},
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			wantArgs(t, plan.Login{Mode: mode}, entraKubeconfig(), want.least)
			most := all
			most.Mode = mode
			wantArgs(t, most, entraKubeconfig("--legacy", "--client-secret", "hush", "--password", "hush"), want.most)
		})
	}
}

func wantArgs(t *testing.T, login plan.Login, kubeconfig, want string) {
	t.Helper()
	got, err := login.Kubeconfig([]byte(kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	var have, before map[string]any
	for text, into := range map[string]*map[string]any{string(got): &have, kubeconfig: &before} {
		if err := yaml.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	args := []any{"get-token", "--login"}
	for word := range strings.FieldsSeq(want) {
		args = append(args, word)
	}
	// Nothing else changes.
	before["users"] = []any{map[string]any{"name": "clusterUser_rg_shop", "user": map[string]any{
		"exec": map[string]any{
			"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "kubelogin", "args": args,
			"installHint": "install kubelogin",
		},
	}}}
	if diff := cmp.Diff(before, have); diff != "" {
		t.Errorf("the kubeconfig (-want +got):\n%s", diff)
	}
}

func TestKubeconfigsWithoutKubeloginDoNotChange(t *testing.T) {
	t.Parallel()
	const certificate = "apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user: {client-certificate-data: Yw==}\n"
	for name, c := range map[string]struct {
		login      plan.Login
		kubeconfig string
	}{
		"a certificate": {plan.Login{}, certificate},
		"no users":      {plan.Login{}, "apiVersion: v1\nkind: Config\n"},
		"another command": {
			plan.Login{}, strings.Replace(entraKubeconfig(), "command: kubelogin", "command: aws", 1),
		},
		"the administrator":    {plan.Login{Mode: plan.LoginAdmin}, certificate},
		"an explicit mode too": {plan.Login{Mode: plan.LoginServicePrincipal}, certificate},
	} {
		got, err := c.login.Kubeconfig([]byte(c.kubeconfig))
		if err != nil || string(got) != c.kubeconfig {
			t.Errorf("%s: got the kubeconfig %q and the error %v, want no change", name, got, err)
		}
	}
}

func TestKubeconfigsThatCannotBeConverted(t *testing.T) {
	t.Parallel()
	without := func(flag string) string {
		return strings.Replace(entraKubeconfig(), "- --"+flag+"-id\n", "- --"+flag+"\n", 1)
	}
	for want, c := range map[string]struct {
		mode       plan.LoginMode
		kubeconfig string
	}{
		"the kubelogin command of the kubeconfig has no --server-id": {"", without("server")},
		"the kubelogin command of the kubeconfig has no --client-id": {plan.LoginServicePrincipal, without("client")},
		"the kubelogin command of the kubeconfig has no --tenant-id": {plan.LoginInteractive, without("tenant")},
		`"devicecod" is not a login mode of kubelogin`:               {"devicecod", entraKubeconfig()},
		"the kubeconfig is not a YAML document":                      {"", "hush: [hush"},
	} {
		got, err := plan.Login{Mode: c.mode}.Kubeconfig([]byte(c.kubeconfig))
		if err == nil || err.Error() != want || got != nil {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	// Azure's kubeconfig does not need a flag whose value a setting has.
	if _, err := (plan.Login{Mode: plan.LoginServicePrincipal, ClientID: "mine"}).Kubeconfig(
		[]byte(without("client"))); err != nil {
		t.Error(err)
	}
}
