package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestTolerations(t *testing.T) {
	t.Parallel()
	os, dedicated := topology.WindowsTaint(),
		corev1.Taint{Key: "dedicated", Value: "shop", Effect: corev1.TaintEffectNoExecute}
	tolerateOS := corev1.Toleration{Key: "os", Operator: "Equal", Value: "windows", Effect: "NoSchedule"}
	tolerateDedicated := corev1.Toleration{Key: "dedicated", Operator: "Equal", Value: "shop", Effect: "NoExecute"}
	pool := func(p platform.Platform, taints ...corev1.Taint) topology.Pool {
		return topology.Pool{Platform: p, Taints: taints, Untainted: len(taints) == 0}
	}
	const win22, win25 = platform.WindowsServer2022, platform.WindowsServer2025
	tests := []struct {
		name  string
		pools []topology.Pool
		want  []corev1.Toleration
	}{
		{"the default of a Windows pool", []topology.Pool{{Platform: win22}}, []corev1.Toleration{tolerateOS}},
		{"no pool of the platform, no toleration", []topology.Pool{pool(win25, os)}, nil},
		{"no taint, no toleration", []topology.Pool{pool(win22)}, nil},
		{
			"all taints of one pool, in its order",
			[]topology.Pool{pool(win22, dedicated, os)},
			[]corev1.Toleration{tolerateDedicated, tolerateOS},
		},
		{
			"those that all pools share, in the first one's order",
			[]topology.Pool{pool(win22, dedicated, os), pool(win22, os, dedicated)},
			[]corev1.Toleration{tolerateDedicated, tolerateOS},
		},
		{
			"not those of some pools only",
			[]topology.Pool{pool(win22, dedicated, os), pool(win22, os)},
			[]corev1.Toleration{tolerateOS},
		},
		{
			"not those of the second pool only",
			[]topology.Pool{pool(win22, os), pool(win22, os, dedicated)},
			[]corev1.Toleration{tolerateOS},
		},
		{"none where a pool is open", []topology.Pool{pool(win22, dedicated), pool(win22)}, nil},
		{
			"none where the pools differ in the value",
			[]topology.Pool{
				pool(win22, dedicated),
				pool(win22, corev1.Taint{Key: "dedicated", Value: "bank", Effect: "NoExecute"}),
			},
			nil,
		},
		{
			"none where the pools differ in the effect",
			[]topology.Pool{
				pool(win22, dedicated),
				pool(win22, corev1.Taint{Key: "dedicated", Value: "shop", Effect: "NoSchedule"}),
			},
			nil,
		},
		{
			"the taint of Windows, where a pool is open",
			[]topology.Pool{{Platform: win22}, pool(win22)},
			[]corev1.Toleration{tolerateOS},
		},
		{
			"the taint of Windows of the last pool only",
			[]topology.Pool{pool(win22), pool(win22, dedicated), pool(win22, os)},
			[]corev1.Toleration{tolerateOS},
		},
		{
			"the taint of Windows of the last pool only, after what all share",
			[]topology.Pool{pool(win22, dedicated), pool(win22, os, dedicated)},
			[]corev1.Toleration{tolerateDedicated, tolerateOS},
		},
		{
			"the taint of Windows, and nothing that is only like it",
			[]topology.Pool{
				pool(win22, os),
				pool(win22, corev1.Taint{Key: "os", Value: "windows", Effect: "NoExecute"}),
			},
			[]corev1.Toleration{tolerateOS},
		},
		{
			"pools of other platforms do not count",
			[]topology.Pool{pool(platform.Linux), pool(win25, dedicated), pool(win22, os)},
			[]corev1.Toleration{tolerateOS},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := topology.Topology{Pools: tt.pools}.WithDefaults().Tolerations(win22)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Tolerations() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTolerationsOfLinux(t *testing.T) {
	t.Parallel()
	taint := func(key, value string) corev1.Taint {
		return corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffectNoSchedule}
	}
	cattle, dedicated := taint("cattle.io/os", "linux"), taint("dedicated", "shop")
	for name, tt := range map[string]struct {
		pools  [][]corev1.Taint
		all    []corev1.Taint
		system []corev1.Taint
	}{
		"all pools have it":  {[][]corev1.Taint{{cattle}, {cattle}}, []corev1.Taint{cattle}, []corev1.Taint{cattle}},
		"some pools have it": {[][]corev1.Taint{nil, {cattle}}, []corev1.Taint{cattle}, []corev1.Taint{cattle}},
		"with that of a dedicated pool": {
			[][]corev1.Taint{{cattle}, {dedicated, cattle}}, []corev1.Taint{cattle}, []corev1.Taint{cattle},
		},
		"all pools are dedicated": {
			[][]corev1.Taint{{dedicated}, {dedicated, cattle}},
			[]corev1.Taint{dedicated, cattle},
			[]corev1.Taint{cattle},
		},
		"without a domain": {
			[][]corev1.Taint{nil, {taint("os", "linux")}},
			[]corev1.Taint{taint("os", "linux")},
			[]corev1.Taint{taint("os", "linux")},
		},
		"of the other system": {
			[][]corev1.Taint{nil, {taint("os", "windows"), taint("cattle.io/os", "windows")}}, nil, nil,
		},
		"a key that only ends like": {
			[][]corev1.Taint{nil, {taint("macos", "linux"), taint("example.com/macos", "linux")}}, nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := topology.Topology{Pools: []topology.Pool{{Platform: platform.WindowsServer2022}}}
			for _, taints := range tt.pools {
				cluster.Pools = append(cluster.Pools,
					topology.Pool{Platform: platform.Linux, Taints: taints, Untainted: len(taints) == 0})
			}
			tolerations := func(taints []corev1.Taint) (want []corev1.Toleration) {
				for _, taint := range taints {
					want = append(want, topology.Tolerate(taint))
				}
				return want
			}
			if diff := cmp.Diff(tolerations(tt.all), cluster.WithDefaults().Tolerations(platform.Linux)); diff != "" {
				t.Errorf("Tolerations() (-want +got):\n%s", diff)
			}
			got := cluster.WithDefaults().SystemTolerations(platform.Linux)
			if diff := cmp.Diff(tolerations(tt.system), got); diff != "" {
				t.Errorf("SystemTolerations() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTolerateMatchesKeyValueAndEffect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		taint corev1.Taint
		want  corev1.Toleration
	}{
		{
			"of a taint with a value",
			corev1.Taint{Key: "os", Value: "windows", Effect: "NoSchedule"},
			corev1.Toleration{Key: "os", Operator: "Equal", Value: "windows", Effect: "NoSchedule"},
		},
		{
			"of a taint without one",
			corev1.Taint{Key: "gpu", Effect: "NoExecute"},
			corev1.Toleration{Key: "gpu", Operator: "Equal", Effect: "NoExecute"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, topology.Tolerate(tt.taint)); diff != "" {
				t.Errorf("Tolerate() (-want +got):\n%s", diff)
			}
		})
	}
}

// Each kind of pods tolerates no more taints of the same pools than it has to.
func TestPoliciesOfTolerations(t *testing.T) {
	t.Parallel()
	const win22, win25 = platform.WindowsServer2022, platform.WindowsServer2025
	windows := topology.WindowsTaint()
	drained := corev1.Taint{Key: "drained", Effect: corev1.TaintEffectPreferNoSchedule}
	shop := corev1.Taint{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoExecute}
	linux := corev1.Taint{Key: "linux", Effect: corev1.TaintEffectNoSchedule}
	cluster := topology.Topology{Pools: []topology.Pool{
		{Platform: platform.Linux, Taints: []corev1.Taint{linux}},
		{Platform: win25, Taints: []corev1.Taint{shop, windows}},
		{Platform: win22},
		{Platform: win22, Taints: []corev1.Taint{drained, windows, shop}},
	}}.WithDefaults()
	names := map[corev1.Toleration]string{
		topology.Tolerate(windows): "windows", topology.Tolerate(drained): "drained",
		topology.Tolerate(shop): "shop", topology.Tolerate(linux): "linux",
	}
	for name, tt := range map[string]struct {
		got  []corev1.Toleration
		want []string
	}{
		"a workload":                    {cluster.Tolerations(win22), []string{"windows"}},
		"an agent of one platform":      {cluster.AgentTolerations(win22), []string{"windows", "shop"}},
		"an agent of several":           {cluster.AgentTolerations(win22, win25), []string{"shop", "windows"}},
		"an agent of all Windows nodes": {cluster.AgentTolerations(), []string{"shop", "windows"}},
		"an agent of Linux":             {cluster.AgentTolerations(platform.Linux), []string{"linux"}},
		"an agent of no pool":           {cluster.AgentTolerations(platform.WindowsServer2019), nil},
		"an agent of any cluster":       {topology.Topology{}.WithDefaults().AgentTolerations(), []string{"windows"}},
		"a test of the cluster":         {cluster.AllTolerations(win22), []string{"windows", "drained", "shop"}},
	} {
		var got []string
		for _, toleration := range tt.got {
			got = append(got, names[toleration])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
