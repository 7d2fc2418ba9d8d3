package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const registry = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/images/providers/" +
	"Microsoft.ContainerRegistry/registries/contoso"

var configuration = map[string]string{
	"registryID": registry, "image": "contoso.azurecr.io/web:1.0-ltsc2022",
	"windowsPassword": "Correct-Horse-Battery-9",
}

// run runs the program in an Azure with the clusters that an earlier run made.
func run(t *testing.T, earlier *mocktest.Graph, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	azure := akstest.Azure()
	if earlier != nil {
		azure = akstest.Azure(akstest.Made(earlier)...)
		options = append(options, mocktest.After(earlier))
	}
	return mocktest.MustRun(t, guard.Program(program), append(options, mocktest.Config(configuration), azure)...)
}

func TestTheNodesMayPullBeforeThePodExists(t *testing.T) {
	t.Parallel()
	graph := run(t, nil)
	pull := graph.MustGet(t, "azure-native:authorization:RoleAssignment", "pull")
	kubelet := graph.MustGet(t, "mixedkube:aks:Cluster", "shop").Outputs["kubeletIdentity"].ObjectValue()
	want := map[string]any{
		"principalId": kubelet["objectID"].StringValue(), "principalType": "ServicePrincipal",
		"roleDefinitionId": acrPull, "scope": registry,
	}
	if diff := cmp.Diff(want, pull.Plain()); diff != "" || want["principalId"] == "" {
		t.Errorf("the role (-want +got):\n%s", diff)
	}
	pod := graph.MustGet(t, "kubernetes:core/v1:Pod", "web")
	if !slices.Contains(pod.Dependencies, pull.URN) {
		t.Errorf("the pod depends on %v, want the role", pod.Dependencies)
	}
}

func TestASecondUpdateChangesNothing(t *testing.T) {
	t.Parallel()
	graph := run(t, run(t, nil), mocktest.Preview())
	if changes := graph.Changes(); changes.Any() {
		t.Errorf("these change:\n%s", changes)
	}
}
