package aks_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const entraKubeconfig = `apiVersion: v1
kind: Config
users:
  - name: clusterUser_rg_shop
    user:
      exec:
        apiVersion: client.authentication.k8s.io/v1beta1
        command: kubelogin
        args: [get-token, --environment, AzurePublicCloud, --server-id, server, --client-id, public, ARGS]
`

// inEntraID returns an Azure that answers with the kubeconfig of a cluster with Microsoft Entra ID.
func inEntraID(args string) mocktest.Option {
	kubeconfig := strings.Replace(entraKubeconfig, "ARGS", args, 1)
	return mocktest.All(akstest.Azure(), mocktest.Calls(func(call mocktest.Call) (resource.PropertyMap, error) {
		if call.Token != "azure-native:containerservice:listManagedClusterUserCredentials" {
			return nil, errors.New(`Code="ResourceNotFound"`)
		}
		return resource.NewPropertyMapFromMap(map[string]any{"kubeconfigs": []any{map[string]any{
			"name": "clusterUser", "value": base64.StdEncoding.EncodeToString([]byte(kubeconfig)),
		}}}), nil
	}))
}

// signedIn returns the arguments of a small cluster with Microsoft Entra ID and a login.
func signedIn(login aks.Login) *aks.ClusterArgs {
	return small(func(a *aks.ClusterArgs) {
		a.Login = login
		a.Options = &containerservice.ManagedClusterArgs{
			AadProfile: containerservice.ManagedClusterAADProfileArgs{Managed: pulumi.Bool(true)},
		}
	})
}

// textOf returns a property of a resource, secret or not.
func textOf(t *testing.T, r mocktest.Resource, property resource.PropertyKey) string {
	t.Helper()
	v := r.Inputs[property]
	for v.IsSecret() {
		v = v.SecretValue().Element
	}
	if !v.IsString() {
		t.Fatalf("%s has the %s %v", r, property, v)
	}
	return v.StringValue()
}

// The provider signs in with the configured login, and stays the same provider whatever the login is: pulumi-kubernetes
// replaces a provider if its clusterIdentifier changes, and never because the kubeconfig changes.
func TestTheProviderSignsInWithTheConfiguredLogin(t *testing.T) {
	t.Parallel()
	const azureCLI = "- azurecli\n                - --server-id\n                - server\n"
	for name, c := range map[string]struct {
		args  *aks.ClusterArgs
		azure mocktest.Option
		want  string
	}{
		"no Microsoft Entra ID": {small(nil), akstest.Azure(), akstest.Kubeconfig},
		"the administrator": {
			signedIn(aks.Login{Mode: aks.LoginAdmin}), akstest.Azure(), akstest.AdminKubeconfig,
		},
		"the default": {signedIn(aks.Login{}), inEntraID("--login, devicecode"), azureCLI},
		"a service principal that comes later": {
			signedIn(aks.Login{
				Mode: aks.LoginServicePrincipal, ClientID: pulumi.String("mine").ToStringOutput(),
				TenantID: pulumi.String("home"), UseAzureRMEnvVars: true,
			}), inEntraID("--login, devicecode"),
			"- --client-id\n                - mine\n                - --tenant-id\n                - home\n" +
				"                - --environment\n                - AzurePublicCloud\n" +
				"                - --use-azurerm-env-vars\n",
		},
		"a managed identity": {
			signedIn(aks.Login{
				Mode: aks.LoginManagedIdentity, IdentityResourceID: pulumi.String("/identity").ToStringOutput(),
			}), inEntraID("--login, devicecode"),
			"- --identity-resource-id\n                - /identity\n",
		},
		"a service connection": {
			signedIn(aks.Login{Mode: aks.LoginAzurePipelines, ServiceConnectionID: pulumi.String("connection")}),
			inEntraID("--login, devicecode"),
			"- --azure-pipelines-service-connection-id\n                - connection\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, newCluster(c.args), c.azure)
			provider := graph.MustGet(t, "pulumi:providers:kubernetes", "shop-kubernetes")
			if got := textOf(t, provider, "kubeconfig"); !strings.Contains(got, c.want) ||
				strings.Contains(got, "devicecode") {
				t.Errorf("the kubeconfig is\n%s, which lacks\n%s", got, c.want)
			}
			equal(t, "the cluster of the provider", "shop-cluster-id", textOf(t, provider, "clusterIdentifier"))
			equal(t, "secrets", []string{"kubeconfig"}, provider.Secrets())
		})
	}
}

// The kubeconfig from Azure is never part of an error.
func TestAKubeconfigThatCannotSignIn(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(newCluster(signedIn(aks.Login{Mode: aks.LoginServicePrincipal})),
		inEntraID("--login, devicecode, --client-secret, hush"))
	const want = "the kubeconfig from Azure: the kubelogin command of the kubeconfig has no --tenant-id"
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestFindingsAboutTheLogin(t *testing.T) {
	t.Parallel()
	args := signedIn(aks.Login{
		Mode: aks.LoginAdmin, ClientID: pulumi.String("c"), TenantID: pulumi.String("t").ToStringOutput(),
	})
	args.APIServer.DisableLocalAccounts = true
	_, err := mocktest.Run(newCluster(args), akstest.Azure())
	want := "\n  login.clientID: … (MK768)\n  login.mode: … (MK765)\n  login.tenantID: … (MK768)"
	if err == nil || !strings.Contains(brief(err.Error()), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
	graph := mocktest.MustRun(t, newCluster(signedIn(aks.Login{Mode: aks.LoginDeviceCode})), akstest.Azure())
	equal(t, "log", "warning: login.mode: … (MK764)", brief(messages(graph)...))
}
