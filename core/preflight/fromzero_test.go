package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// scaled returns a cluster with two pools of Windows Server 2022 and one of 2025, with these minimum numbers of nodes.
// If labeled, the first two have the label of their platform.
func scaled(first, second, other int, labeled bool) preflight.Options {
	pool := func(name string, p platform.Platform, least int) topology.Pool {
		pool := topology.Pool{Name: name, Platform: p, Autoscaling: topology.Autoscaling{Min: least, Max: 3}}
		if labeled {
			pool.Labels = map[string]string{topology.LabelPlatform: win22.String()}
		}
		return pool
	}
	return preflight.Options{Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		pool("a22", win22, first), pool("b22", win22, second),
		{Name: "win25", Platform: win25, Autoscaling: topology.Autoscaling{Min: other, Max: 3}},
	}}}
}

const (
	knowsNot = `a cluster autoscaler may not know this label while there are no nodes in `
	build22  = `node.kubernetes.io/windows-build: 10.0.20348`
)

func TestPodsOfAPoolThatMayHaveNoNodes(t *testing.T) {
	t.Parallel()
	const (
		at       = `spec.nodeSelector[node.kubernetes.io/windows-build]: "10.0.20348": ` + knowsNot
		selected = "os: {name: windows}\nnodeSelector: {kubernetes.io/os: " +
			"windows, " + build22 + "}\n" + tolerates + anyImage
		terms = "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows}\n" + tolerates + anyImage +
			"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
		inTerm = "{matchExpressions: [{key: team, operator: Exists}, {key: node.kubernetes.io/windows-build, " +
			"operator: In, values: ['10.0.20348']}]}"
		affinity = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]" +
			".matchExpressions[1]: " + knowsNot
	)
	const own = ": give the pool a label of its own and select that instead, or keep a node with autoscaling.min " +
		"(MK317)"
	runPodCases(t, []podCase{
		{
			name: "one of two pools", spec: selected, options: scaled(0, 1, 1, false),
			want: []string{"warning " + at + "pool a22" + own},
		},
		{
			name: "both", spec: selected, options: scaled(0, 0, 0, false),
			want: []string{"warning " + at + "pools a22 and b22" + own},
		},
		{
			name: "with the label of the platform", spec: selected, options: scaled(0, 1, 1, true),
			want: []string{"warning " + at + "pool a22: select mixedkube.dev/platform=windows-2022 instead (MK317)"},
		},
		{name: "another release", spec: selected, options: scaled(1, 2, 0, false)},
		{
			name: "a label that the autoscaler knows", options: scaled(0, 0, 1, true),
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, mixedkube.dev/platform: " +
				"windows-2022}\n" + tolerates + anyImage,
		},
	})
	for name, tt := range map[string]struct {
		terms string
		want  []string
	}{
		"an affinity":                   {inTerm, []string{affinity}},
		"an affinity with a way around": {inTerm + ", {matchExpressions: [{key: team, operator: Exists}]}", nil},
		"an affinity with any other build": {
			"{matchExpressions: [{key: node.kubernetes.io/windows-build, operator: NotIn, values: " +
				"['10.0.26100']}]}", nil,
		},
	} {
		var got []string
		options := scaled(0, 0, 1, false)
		for i := range options.Topology.Pools {
			options.Topology.Pools[i].Labels = map[string]string{"team": "shop"}
		}
		for _, f := range preflight.Check(inSpec(t, "Pod", terms+tt.terms+"]}}}\n"), options) {
			if f.Rule == "MK317" {
				got = append(got, f.Path+": "+knowsNot)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := preflight.Check(inSpec(t, "DaemonSet", selected), scaled(0, 0, 0, false)); len(got) > 0 {
		t.Errorf("no autoscaler adds nodes for a DaemonSet, and it says %v", got)
	}
}

func TestClassesOfAPoolThatMayHaveNoNodes(t *testing.T) {
	t.Parallel()
	const at = `scheduling.nodeSelector[node.kubernetes.io/windows-build]: "10.0.20348": ` + knowsNot
	for name, tt := range map[string]struct {
		selector string
		options  preflight.Options
		want     []string
	}{
		"a pool": {build22, scaled(1, 0, 1, true), []string{at + "pool b22: select " +
			"mixedkube.dev/platform=windows-2022 instead (MK415)"}},
		"no such pool":  {build22, scaled(1, 1, 0, true), nil},
		"no topology":   {build22, preflight.Options{}, nil},
		"not the build": {"mixedkube.dev/platform: windows-2022", scaled(0, 0, 0, true), nil},
		"a secret build": {
			"node.kubernetes.io/windows-build: '$secret-10.0.20348'", scaled(0, 0, 0, true), []string{
				`scheduling.nodeSelector[node.kubernetes.io/windows-build]: [secret]: ` + knowsNot + `a pool where ` +
					`the pods can land: give the pool a label of its own and select that instead, or keep a node ` +
					`with autoscaling.min (MK415)`,
			},
		},
	} {
		var got []string
		for _, f := range preflight.Check(class(t, "handler: runhcs-wcow-process, scheduling: {nodeSelector: "+
			"{kubernetes.io/os: windows, "+tt.selector+"}}"), tt.options) {
			got = append(got, f.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Pods of a class that selects the platform's label land on the same pools as pods that select the build.
func TestTheLabelOfAPlatformLeadsToItsPools(t *testing.T) {
	t.Parallel()
	pod := inSpec(t, "Pod", "runtimeClassName: windows-2022\n"+anyImage)
	for selector, want := range map[string]string{
		build22:                                  "a22 (0 to 3 nodes), b22 (1 to 3 nodes)",
		"mixedkube.dev/platform: windows-2022":   "a22 (0 to 3 nodes), b22 (1 to 3 nodes)",
		"mixedkube.dev/platform: 'windows-2025'": "nowhere",
	} {
		named := class(t, "handler: runhcs-wcow-process, scheduling: {nodeSelector: {kubernetes.io/os: windows, "+
			selector+"}, tolerations: [{key: os, operator: Equal, value: windows, effect: NoSchedule}]}")
		landing, ok := preflight.New(scaled(0, 1, 1, true)).Landing(pod, named)
		if !ok || landing.String() != want {
			t.Errorf("pods of a class that selects %s land on %s, want %s", selector, landing, want)
		}
	}
}
