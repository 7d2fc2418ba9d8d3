package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

// run runs the program with a password.
func run(password string, options ...mocktest.Option) (*mocktest.Graph, error) {
	return mocktest.Run(guard.Program(program), append(options, inAzure(password))...)
}

func inAzure(password string) mocktest.Option {
	return mocktest.All(mocktest.Config(map[string]string{"windowsPassword": password}), akstest.Azure())
}

func TestTheWindowsPoolRegistersWithItsTaint(t *testing.T) {
	t.Parallel()
	graph, err := run("Correct-Horse-Battery-9", mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	pools := graph.ByType("azure-native:containerservice:AgentPool")
	if len(pools) != 1 {
		t.Fatalf("there are %d pools in addition to the first pool of the cluster", len(pools))
	}
	if diff := cmp.Diff([]any{"os=windows:NoSchedule"}, pools[0].Plain()["nodeTaints"]); diff != "" {
		t.Errorf("taints (-want +got):\n%s", diff)
	}
}

func TestIISLandsOnWindows(t *testing.T) {
	t.Parallel()
	graph, err := run("Correct-Horse-Battery-9", mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	var landings []string
	for _, log := range graph.Logs() {
		if strings.Contains(log.Message, "→") {
			landings = append(landings, log.Message)
		}
	}
	want := []string{
		"where the pods can land:\n  iis → win22 (2 nodes)\n" +
			"Place completes 1 of 1 workloads\n  1 Pod: those that exist stay as they are, new ones are completed",
	}
	if diff := cmp.Diff(want, landings); diff != "" {
		t.Errorf("landings (-want +got):\n%s", diff)
	}
}

func TestAWeakPasswordStopsThePreview(t *testing.T) {
	t.Parallel()
	_, err := run("Password1", mocktest.Preview())
	if err == nil || strings.Contains(err.Error(), "Password1") {
		t.Fatalf("the error is %v, want one without the password", err)
	}
	for _, want := range []string{"windowsAdmin.password: [secret]: ", "(MK754)", "(MK756)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	exampletest.PreviewWithCluster(t, program, inAzure("Correct-Horse-Battery-9"))
}
