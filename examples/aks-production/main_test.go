package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	exampletest.PreviewWithCluster(t, program, mocktest.Config(configuration), akstest.Azure())
}

// configuration is the configuration of the program.
var configuration = map[string]string{
	"windowsPassword": "Correct-Horse-Battery-9", "authorizedIPRanges": `["203.0.113.0/24", "198.51.100.7"]`,
}

// Not everyone can connect to the API server, and who can needs an account of Microsoft Entra ID.
func TestTheAPIServerIsClosed(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guard.Program(program), mocktest.Preview(), mocktest.Config(configuration),
		akstest.Azure())
	if err != nil {
		t.Fatal(err)
	}
	cluster := graph.ByType("azure-native:containerservice:ManagedCluster")[0].Plain()
	got := map[string]any{}
	for _, property := range []string{"aadProfile", "apiServerAccessProfile", "disableLocalAccounts"} {
		got[property] = cluster[property]
	}
	want := map[string]any{
		"aadProfile":             map[string]any{"managed": true, "enableAzureRBAC": true},
		"apiServerAccessProfile": map[string]any{"authorizedIPRanges": []any{"203.0.113.0/24", "198.51.100.7"}},
		"disableLocalAccounts":   true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the access (-want +got):\n%s", diff)
	}
}
