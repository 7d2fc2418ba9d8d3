package placement_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestString(t *testing.T) {
	t.Parallel()
	onWindows := placement.Pod{NodeSelector: set("kubernetes.io/os", "windows"), Tolerations: tolerateWindows()}
	empty := func(p *topology.Pool) { p.Count, p.Empty = 0, true }
	for _, tt := range []struct {
		name  string
		pools []topology.Pool
		pod   placement.Pod
		want  string
	}{
		{"one pool", mixed(), placement.Pod{}, "linux (3 nodes)"},
		{"several pools", mixed(), onWindows, "win22 (2 nodes), win25 (1 node)"},
		{"no pool", mixed(), placement.Pod{NodeSelector: set("kubernetes.io/os", "Windows")}, "nowhere"},
		{"no pools at all", nil, placement.Pod{}, "nowhere"},
		{"a pool without nodes", []topology.Pool{linux(empty), win22()}, placement.Pod{}, "linux (no nodes)"},
		{"a pool with autoscaling", []topology.Pool{linux(scaled(1, 5))}, placement.Pod{}, "linux (1 to 5 nodes)"},
		{
			"a pool that autoscaling can leave without nodes",
			[]topology.Pool{linux(empty, scaled(0, 1))},
			placement.Pod{},
			"linux (0 to 1 nodes)",
		},
		{
			"autoscaling that can only have one node",
			[]topology.Pool{linux(scaled(1, 1))},
			placement.Pod{},
			"linux (1 node)",
		},
		{
			"autoscaling that can only have two",
			[]topology.Pool{linux(scaled(2, 2))},
			placement.Pod{},
			"linux (2 nodes)",
		},
		{
			"autoscaling if only the scheduler knows",
			[]topology.Pool{linux(), win22(scaled(2, 5))},
			placement.Pod{Unknown: placement.PartTolerations},
			"linux (3 nodes), perhaps win22 (2 to 5 nodes)",
		},
		{
			"a pool with the default of one node",
			[]topology.Pool{{Name: "a", Platform: platform.Linux}},
			placement.Pod{},
			"a (1 node)",
		},
		{
			"if only the scheduler knows", mixed(),
			placement.Pod{Unknown: placement.PartTolerations},
			"linux (3 nodes), perhaps win22 (2 nodes), perhaps win25 (1 node)",
		},
		{
			"certain pools come first",
			[]topology.Pool{win25(), linux(), win22()},
			placement.Pod{Unknown: placement.PartTolerations},
			"linux (3 nodes), perhaps win25 (1 node), perhaps win22 (2 nodes)",
		},
		{
			"a pod with a node name", mixed(),
			placement.Pod{NodeName: "a", OS: windowsOS},
			"perhaps win22 (2 nodes), perhaps win25 (1 node)",
		},
		{
			"unknown images", mixed(),
			placement.Pod{
				NodeSelector: onWindows.NodeSelector, Tolerations: tolerateWindows(),
				Images: []placement.Image{image("example.com/shop:1")},
			},
			"win22 (2 nodes), win25 (1 node)",
		},
		{
			"without the pools where it schedules but does not run", mixed(),
			placement.Pod{
				Tolerations: tolerateWindows(),
				Images:      []placement.Image{image("mcr.microsoft.com/windows/nanoserver:ltsc2025")},
			},
			"win25 (1 node)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := place(tt.pod, tt.pools...).String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPoolsAndPossible(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{OS: windowsOS, Unknown: placement.PartSelector, Tolerations: tolerateWindows()}
	pools := []topology.Pool{linux(), win22()}
	names := func(verdicts []placement.Verdict) []string {
		var names []string
		for _, v := range verdicts {
			names = append(names, v.Pool.Name)
		}
		return names
	}
	got := place(pod, pools...)
	if diff := cmp.Diff([]string(nil), names(got.Pools())); diff != "" {
		t.Errorf("Pools() (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"win22"}, names(got.Possible())); diff != "" {
		t.Errorf("Possible() (-want +got):\n%s", diff)
	}
	pod.Unknown = 0
	if diff := cmp.Diff([]string{"win22"}, names(place(pod, pools...).Pools())); diff != "" {
		t.Errorf("Pools(), all known (-want +got):\n%s", diff)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	core19 := image("mcr.microsoft.com/windows/servercore:ltsc2019")
	core25 := image("mcr.microsoft.com/windows/servercore:ltsc2025")
	for _, tt := range []struct {
		name  string
		pools []topology.Pool
		pod   placement.Pod
		os    platform.OS
		want  string
	}{
		{"nothing is refused", []topology.Pool{linux()}, placement.Pod{}, "", ""},
		{"the only refused pool", mixed()[:2], placement.Pod{}, "", "win22"},
		{
			"the fewest reasons",
			[]topology.Pool{win22(taints("a:NoSchedule", "b:NoSchedule")), win25()},
			placement.Pod{},
			"",
			"win25",
		},
		{
			"the operating system of the pod, for any number of reasons",
			[]topology.Pool{linux(), win22(taints("a:NoSchedule", "b:NoSchedule"))},
			placement.Pod{Images: []placement.Image{core19}},
			windowsOS,
			"win22",
		},
		{
			"the selected pool, for any number of taints",
			[]topology.Pool{linux(), win22(taints("a:NoSchedule", "b:NoSchedule"))},
			placement.Pod{NodeSelector: set("beta.kubernetes.io/os", "windows")},
			"",
			"win22",
		},
		{
			"the pool that the affinity requires, for any number of taints",
			[]topology.Pool{linux(), win22(taints("a:NoSchedule", "b:NoSchedule"))},
			placement.Pod{Required: requires(term(expr("kubernetes.io/os", "NotIn", "linux")))},
			"",
			"win22",
		},
		{
			"the release among equal pools",
			[]topology.Pool{win22(), win25(taints("gpu:NoSchedule"))},
			placement.Pod{Tolerations: tolerateWindows(), Images: []placement.Image{core25}},
			windowsOS,
			"win25",
		},
		{
			"the first name among equal pools",
			[]topology.Pool{win22(), {Name: "win19", Platform: platform.WindowsServer2019}},
			placement.Pod{OS: linuxOS, Tolerations: tolerateWindows()},
			linuxOS, "win19",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := place(tt.pod, tt.pools...).Nearest(tt.os, platform.WindowsServer2025)
			name := ""
			if ok {
				name = got.Pool.Name
			}
			if name != tt.want {
				t.Errorf("got %q, %t, want %q", name, ok, tt.want)
			}
		})
	}
}

func TestVerdictsHaveThePoolsWithDefaults(t *testing.T) {
	t.Parallel()
	got := place(placement.Pod{}, topology.Pool{Name: "win22", Platform: platform.WindowsServer2022}).Verdicts[0].Pool
	want := topology.Pool{
		Name: "win22", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 1,
		Taints: []corev1.Taint{topology.WindowsTaint()},
	}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("pool (-want +got):\n%s", diff)
	}
}
