package stackprogram

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/golden"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// deployEverything deploys all workloads that there are.
func deployEverything(t *testing.T, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	return deployThese(t, stackconfig.Workloads(), options...)
}

func deployThese(t *testing.T, workloads []stackconfig.Workload, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	names, err := json.Marshal(workloads)
	if err != nil {
		t.Fatal(err)
	}
	these := mocktest.Config(map[string]string{"mixedkube:workloads": string(names)})
	return deployGiven(t, append([]mocktest.Option{these}, options...)...)
}

func TestTheGraphOfEverythingIsTheGoldenOne(t *testing.T) {
	t.Parallel()
	// Package connectivity has the goldens of its many Jobs.
	workloads := slices.DeleteFunc(stackconfig.Workloads(),
		func(w stackconfig.Workload) bool { return w == stackconfig.Connectivity })
	golden.Equal(t, "testdata/everything.preview.golden", deployThese(t, workloads, mocktest.Preview()).String())
}

func TestNothingIsFoundInTheWorkloadsButWhatTheySilence(t *testing.T) {
	t.Parallel()
	var silenced []string
	for _, log := range deployEverything(t, mocktest.Preview()).Logs() {
		rest, ignored := strings.CutPrefix(log.Message, "ignored: ")
		switch {
		case ignored:
			name := log.URN.Name()
			silenced = append(silenced,
				name[:strings.LastIndex(name, "-20")]+" "+rest[strings.LastIndex(rest, "(")+1:len(rest)-1])
		case log.Severity != "info" || strings.HasSuffix(log.Message, ")") && strings.Contains(log.Message, "(MK"):
			t.Errorf("%s: %s: %s", log.URN, log.Severity, log.Message)
		}
	}
	slices.Sort(silenced)
	want := []string{"grace-period MK510", "secret MK520"}
	if diff := cmp.Diff(want, slices.Compact(silenced)); diff != "" {
		t.Errorf("silenced (-want +got):\n%s", diff)
	}
}

// What the checks are, the configuration says.
func TestTheChecksOfTheNetworkAreThoseThatAreWanted(t *testing.T) {
	t.Parallel()
	deployed := func(checks string) (jobs []string, table string) {
		graph := deployThese(t, []stackconfig.Workload{stackconfig.Connectivity},
			mocktest.Config(map[string]string{"mixedkube:connectivity": checks}))
		for _, r := range graph.Resources() {
			if r.Type == "kubernetes:batch/v1:Job" {
				jobs = append(jobs, fmt.Sprint(r.Plain()))
			}
		}
		return jobs, mocktest.Plain(graph.Exports())["connectivity"].(string)
	}
	first, table := deployed(`{"run": "first", "skip": ["6-inbound", "7-outbound"]}`)
	for _, line := range []string{"6-inbound            skipped", "7-outbound           skipped"} {
		if !strings.Contains(table, line) {
			t.Errorf("%q is missing in:\n%s", line, table)
		}
	}
	if found := strings.Join(first, ""); !strings.Contains(found, "5-service-discovery") ||
		strings.Contains(found, "7-outbound") {
		t.Error("the Jobs have other checks")
	}
	second, _ := deployed(`{"run": "second", "skip": ["6-inbound", "7-outbound"]}`)
	if len(first) == 0 || len(first) != len(second) {
		t.Fatalf("%d Jobs, and %d in another run", len(first), len(second))
	}
	for i, job := range first {
		if job == second[i] || strings.ReplaceAll(job, "first", "second") != second[i] {
			t.Errorf("a Job is %s, and in another run %s", job, second[i])
		}
	}
	elsewhere, _ := deployed(`{"outboundURL": "http://mirror.example.com/"}`)
	if !strings.Contains(strings.Join(elsewhere, ""), "http://mirror.example.com/") {
		t.Error("no Job asks for the address of the configuration")
	}
}

// Without an engine nobody renders the chart. Pulumi runs a program in its own folder.
func TestTheChartIsThere(t *testing.T) {
	t.Parallel()
	for program, want := range map[stackconfig.Program]string{
		stackconfig.Main:       "../examples/adopt-helm-chart/chart",
		stackconfig.OnMachines: "../../examples/adopt-helm-chart/chart",
	} {
		if got := chartPath(program); got != want {
			t.Errorf("the chart of %s is %s, want %s", program, got, want)
		}
		if _, err := os.Stat(filepath.Join("..", "..", string(program), want, "Chart.yaml")); err != nil {
			t.Error(err)
		}
	}
}

// Whoever lists a workload in the configuration gets it.
func TestEveryWorkloadIsDeployed(t *testing.T) {
	t.Parallel()
	var want []any
	for _, w := range onEachWindows {
		want = append(want, string(w.name)+"-2019", string(w.name)+"-2022", string(w.name)+"-2025")
	}
	for _, w := range onceInTheCluster {
		want = append(want, string(w.name))
	}
	if len(onEachWindows)+len(onceInTheCluster) != len(stackconfig.Workloads()) {
		t.Errorf("there are %d workloads to deploy, and %d to list", len(onEachWindows)+len(onceInTheCluster),
			len(stackconfig.Workloads()))
	}
	got := mocktest.Plain(deployEverything(t).Exports())["workloads"].([]any)
	order := func(a, b any) int { return strings.Compare(a.(string), b.(string)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("workloads (-want +got):\n%s", diff)
	}
}
