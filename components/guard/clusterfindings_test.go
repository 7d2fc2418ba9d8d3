package guard_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/system/clock"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// ofAKS returns a cluster of AKS with a Windows pool.
func ofAKS(version string, p platform.Platform) topology.Topology {
	return topology.Topology{KubernetesVersion: version, Cloud: topology.AKS, Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux}, {Name: "win", Platform: p},
	}}
}

const (
	tooNew  = `pools[1].platform: "windows-2022": … (MK712)`
	tooOld  = `pools[1].platform: "windows-2019": … (MK712)`
	ending  = "pools[1].platform: … (MK853)"
	inError = "error the stack: Topology: "
	inInfo  = "info the stack: Topology: "
)

func TestAPreviewShowsTheFindingsAboutTheTopology(t *testing.T) {
	t.Parallel()
	withoutCloud := ofAKS("1.37", platform.WindowsServer2022)
	withoutCloud.Cloud = ""
	for name, tt := range map[string]struct {
		args   guard.Args
		errors int
		want   []string
	}{
		"2022 on a version without it": {
			guard.Args{Topology: ofAKS("1.37", platform.WindowsServer2022)}, 1, []string{inError + tooNew},
		},
		"2019 on a version without it": {
			guard.Args{Topology: ofAKS("1.35", platform.WindowsServer2019)}, 1, []string{inError + tooOld},
		},
		"several clusters": {
			guard.Args{Clusters: []guard.Cluster{
				{Provider: "dev", Topology: ofAKS("1.35", platform.WindowsServer2019)},
				{Provider: "prod", Topology: ofAKS("1.37", platform.WindowsServer2022)},
			}}, 2, []string{
				"error the stack: Topology/dev: " + tooOld, "error the stack: Topology/prod: " + tooNew,
				`warning the stack: clusters[0].provider: no object has the provider "dev"`,
				`warning the stack: clusters[1].provider: no object has the provider "prod"`,
			},
		},
		"the default horizon": {
			guard.Args{Topology: ofAKS("1.36", platform.WindowsServer2022)}, 0, []string{inInfo + ending},
		},
		"a short horizon": {guard.Args{Topology: ofAKS("1.36", platform.WindowsServer2022), Horizon: 30}, 0, nil},
		"a long horizon": {
			guard.Args{Topology: ofAKS("1.36", platform.WindowsServer2022), Horizon: 1000},
			0,
			[]string{inInfo + ending},
		},
		"advisory": {
			guard.Args{
				Topology: ofAKS("1.37", platform.WindowsServer2022), EnforcementLevel: guard.Advisory,
			}, 0, []string{"warning the stack: would stop the program: Topology: " + tooNew},
		},
		"ignored": {
			guard.Args{
				Topology: ofAKS("1.37", platform.WindowsServer2022),
				Ignore:   []guard.Ignore{{Resources: []string{"Topology"}, Reason: "soon"}},
			}, 0, []string{"info the stack: accepted findings:\n  ignored: all rules of Topology: 1 finding (soon)"},
		},
		"no cloud": {guard.Args{Topology: withoutCloud}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := guarded(tt.args, func(*pulumi.Context) error { return nil })
			graph, err := mocktest.Run(program, mocktest.Preview())
			diffLogs(t, graph, tt.want...)
			found, is := errors.AsType[*guard.Error](err)
			if is != (tt.errors > 0) || is && found.Count != tt.errors {
				t.Errorf("the error is %v, want %d", err, tt.errors)
			}
		})
	}
}

// An update must not create anything, and a preview shows the mistakes of the objects, too.
func TestAnUpdateStopsAtAnErrorAboutTheTopology(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{Topology: ofAKS("1.37", platform.WindowsServer2022)},
		onePod("web", windows(withHostPID)))
	graph, err := mocktest.Run(program)
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph, inError+tooNew)
	if got := names(graph); len(got) > 0 {
		t.Errorf("registered %q", got)
	}
	graph, err = mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 2 errors, shown at their resources")
	got := logs(graph)
	if want := []string{inError + tooNew, "error web: " + hostPID}; len(got) < 2 ||
		cmp.Diff(want, got[:2], golden.AnySentence) != "" {
		t.Errorf("logs %q", got)
	}
}

func TestUnderTheSDKsMocksTheTopologyHasFindings(t *testing.T) {
	t.Parallel()
	args := guard.Args{Topology: ofAKS("1.37", platform.WindowsServer2022)}
	program := onePod("web", windows(withHostPID))
	found, _, err := mockedReport(args, program)
	want := "mixedkube preflight: 2 errors\n  Topology: " + tooNew + "\n  kubernetes:core/v1:Pod::web: " + hostPID
	if err == nil || !golden.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if diff := cmp.Diff([]string{": " + tooNew, "web: " + hostPID}, findings(found), golden.AnySentence); diff != "" {
		t.Errorf("the report (-want +got):\n%s", diff)
	}
	_, err = mocked(enforcing(args, program))
	if err == nil || !golden.Contains(err.Error(), "mixedkube preflight: 1 error\n  Topology: "+tooNew+"\n") {
		t.Errorf("not wrapped: %v", err)
	}
	retiring := guard.Args{Topology: ofAKS("1.36", platform.WindowsServer2022)}
	if _, err := mocked(enforcing(retiring, func(*pulumi.Context) error { return nil })); err != nil {
		t.Errorf("an info fails: %v", err)
	}
	_, err = mocked(enforcing(retiring, program))
	failed, is := errors.AsType[*guard.Error](err)
	if !is {
		t.Fatalf("not wrapped: %v", err)
	}
	both := []string{": " + ending, "web: " + hostPID}
	if diff := cmp.Diff(both, findings(failed.Report), golden.AnySentence); diff != "" {
		t.Errorf("the report, not wrapped (-want +got):\n%s", diff)
	}
}

// A component that creates the cluster has shown its own findings, or ignores them: the guard adds nothing.
func TestTheGuardDoesNotRepeatAComponent(t *testing.T) {
	t.Parallel()
	current := ofAKS("1.36", platform.WindowsServer2022)
	component := func(ctx *pulumi.Context, of topology.Topology, ignored ...string) error {
		found := rule.Findings(support.CheckTopology(of, clock.Today(), 0))
		found.Suppress(ignored)
		b, err := newBox(ctx, "cluster")
		if err != nil {
			return err
		}
		return refusal.Log(ctx, b, found)
	}
	after := func(of topology.Topology, ignored ...string) pulumi.RunFunc {
		return guard.Program(func(ctx *pulumi.Context) error {
			if err := component(ctx, of, ignored...); err != nil {
				return err
			}
			return guard.Enforce(ctx, guard.Args{Topology: of})
		})
	}
	before := guarded(guard.Args{Topology: current}, func(ctx *pulumi.Context) error { return component(ctx, current) })
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		want    string
	}{
		"the component comes first": {after(current), "info cluster: " + ending},
		"the guard comes first":     {before, "info cluster: " + ending},
		"the component ignores an error": {
			after(ofAKS("1.37", platform.WindowsServer2022), "MK712"), "info cluster: ignored: " + tooNew,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
				graph, err := mocktest.Run(tt.program, options...)
				if err != nil {
					t.Error(err)
				}
				diffLogs(t, graph, tt.want)
			}
		})
	}
}

// A baseline knows an error about the topology.
func TestABaselineKnowsTheFindingsAboutTheTopology(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "known.yaml")
	text := "version: 1\nfindings: [{resource: Topology, rule: MK712, severity: error, path: 'pools[1].platform'}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := guard.Args{Topology: ofAKS("1.37", platform.WindowsServer2022), Baseline: file}
	for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		if _, err := mocktest.Run(guarded(args, func(*pulumi.Context) error { return nil }), options...); err != nil {
			t.Error(err)
		}
	}
}

func TestAHorizonIsNotNegative(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(guarded(guard.Args{
		Horizon: -1, Clusters: []guard.Cluster{{Provider: "prod", Topology: mixed}},
	}, nil))
	diffError(t, err,
		"guard: horizon: Invalid value: -1: must not be negative: give a number of days, or 0 for two years")
}
