package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/stacks/stacktest"
)

// The tests compare messages that depend on the date.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")

// stack returns the options of a stack with a configuration file in this directory.
func stack(t *testing.T, name string) mocktest.Option {
	t.Helper()
	return mocktest.All(mocktest.Project("mixedkube", name),
		mocktest.Config(stacktest.Configuration(t, "Pulumi."+name+".yaml")))
}

func deployStack(t *testing.T, name string, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	return mocktest.MustRun(t, guard.Program(program()), append([]mocktest.Option{stack(t, name)}, options...)...)
}

// deployInAzure is deployStack for a stack that creates its cluster in Azure.
func deployInAzure(t *testing.T, stack string, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	azure := []mocktest.Option{
		mocktest.Config(map[string]string{"mixedkube:windowsPassword": "Correct-Horse-Battery-9"}),
		akstest.Azure(),
	}
	return deployStack(t, stack, append(azure, options...)...)
}

func TestGraphsOfTheStacksMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	for name, deploy := range map[string]func(*testing.T, string,
		...mocktest.Option) *mocktest.Graph{"lab-given": deployStack, "aks": deployInAzure} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.UpdateAndPreview(t, "testdata/"+name, deploy(t, name).String(),
				deploy(t, name, mocktest.Preview()).String())
		})
	}
}

// The password is checked with the rest of the configuration, before anything is created.
func TestARefusedPasswordIsAFinding(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guard.Program(program()), stack(t, "aks"), akstest.Azure(), mocktest.Preview(),
		mocktest.Config(map[string]string{"mixedkube:windowsPassword": "Hush-1"}))
	want := `mixedkube:aks:Cluster "aks": windowsAdmin.password: … (MK754)`
	if err == nil || ruletest.WithoutSentences(err.Error()) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if made := graph.Resources(); len(made) > 0 {
		t.Errorf("registered: %v", made)
	}
}

// The stack's keys for Microsoft Entra ID and the login are the component's arguments.
func TestAStackSignsInWithEntraID(t *testing.T) {
	t.Parallel()
	const aks = `{"entraID": {"adminGroupObjectIDs": ["g"], "azureRBAC": true, "disableLocalAccounts": true}, ` +
		`"login": {"mode": "msi", "clientID": "c", "tenantID": "t", "identityResourceID": "/i", ` +
		`"serviceConnectionID": "s", "useAzureRMEnvVars": true}}`
	configuration := mocktest.Config(map[string]string{
		"mixedkube:windowsPassword": "Correct-Horse-Battery-9", "mixedkube:aks": aks,
	})
	_, err := mocktest.Run(guard.Program(program()), stack(t, "aks"), akstest.Azure(), configuration)
	want := `mixedkube:aks:Cluster "aks":
  login.identityResourceID: … (MK768)
  login.serviceConnectionID: … (MK768)
  login.tenantID: … (MK768)
  login.useAzureRMEnvVars: … (MK768)`
	if err == nil || ruletest.WithoutSentences(err.Error()) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	graph := deployInAzure(t, "aks", mocktest.Config(map[string]string{
		"mixedkube:aks": strings.Split(aks, `, "login"`)[0] + `, "login": {"mode": "azurecli"}}`,
	}))
	cluster, err := graph.Get("azure-native:containerservice:ManagedCluster", "aks-cluster")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{
		"aadProfile": cluster.Plain()["aadProfile"], "disableLocalAccounts": cluster.Plain()["disableLocalAccounts"],
	}
	if diff := cmp.Diff(map[string]any{
		"aadProfile": map[string]any{
			"adminGroupObjectIDs": []any{"g"}, "enableAzureRBAC": true, "managed": true,
		},
		"disableLocalAccounts": true,
	}, got); diff != "" {
		t.Errorf("the cluster (-want +got):\n%s", diff)
	}
}

// All workloads are deployed into the cluster that the stack creates.
func TestStacksInAzureDeployIntoTheirOwnCluster(t *testing.T) {
	t.Parallel()
	for _, stack := range []string{"aks", "lab"} {
		t.Run(stack, func(t *testing.T) {
			t.Parallel()
			graph := deployInAzure(t, stack, mocktest.Preview())
			provider, err := graph.Get("pulumi:providers:kubernetes", stack+"-kubernetes")
			if err != nil {
				t.Fatal(err)
			}
			deployed := 0
			for _, r := range graph.Resources() {
				if !strings.HasPrefix(r.Type, "kubernetes:") {
					continue
				}
				deployed++
				if r.Provider != provider.URN {
					t.Errorf("%s has the provider %q", r, r.Provider)
				}
			}
			// Two platforms, with a class, a Deployment and a Service each, and linux-web.
			if want := 2*3 + 1; deployed != want {
				t.Errorf("%d Kubernetes resources, want %d", deployed, want)
			}
		})
	}
}

func TestStacksOnMachinesAreRefused(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guard.Program(program()), stack(t, "kubeadm"), mocktest.Preview())
	const want = "stack configuration: mixedkube:kubeadm: Forbidden: this program does not create clusters on " +
		"virtual machines: run pulumi in the directory stacks/kubeadm"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if registered := graph.Resources(); len(registered) != 0 {
		t.Errorf("registered %v, want nothing", registered)
	}
}
