package topology_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestWithDefaults(t *testing.T) {
	t.Parallel()
	gpu := corev1.Taint{Key: "gpu", Effect: corev1.TaintEffectNoExecute}
	tests := []struct {
		name     string
		in, want topology.Topology
	}{
		{"nothing stays nothing", topology.Topology{}, topology.Topology{}},
		{
			"a pool gets mode, count and version, a Windows pool also the taint",
			topology.Topology{KubernetesVersion: "1.36.3", Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux},
				{Name: "win25", Platform: platform.WindowsServer2025},
			}},
			topology.Topology{KubernetesVersion: "1.36.3", Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Mode: topology.User, Count: 1, KubernetesVersion: "1.36.3"},
				{
					Name: "win25", Platform: platform.WindowsServer2025, Mode: topology.User, Count: 1,
					KubernetesVersion: "1.36.3",
					Taints:            []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}},
				},
			}},
		},
		{
			"explicit values stay",
			topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{{
				Name: "win19", Platform: platform.WindowsServer2019, Mode: topology.System, Count: 7,
				Autoscaling: topology.Autoscaling{Min: 3, Max: 9},
				Size:        "Standard_D4s_v5", OSDiskSizeGB: 128, OSDiskType: topology.EphemeralDisk,
				Zones: []string{"2", "1"},
				Spot:  true, SpotMaxPrice: 0.25, FIPS: true, DisableOutboundNAT: true, MaxPods: 30,
				Upgrade: topology.Upgrade{
					MaxSurge: "33%", MaxUnavailable: "0", DrainTimeoutMinutes: 30,
					NodeSoakMinutes: 5,
				},
				KubernetesVersion: "1.34", Labels: map[string]string{"team": "shop"}, Taints: []corev1.Taint{gpu},
			}}},
			topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{{
				Name: "win19", Platform: platform.WindowsServer2019, Mode: topology.System, Count: 7,
				Autoscaling: topology.Autoscaling{Min: 3, Max: 9},
				Size:        "Standard_D4s_v5", OSDiskSizeGB: 128, OSDiskType: topology.EphemeralDisk,
				Zones: []string{"2", "1"},
				Spot:  true, SpotMaxPrice: 0.25, FIPS: true, DisableOutboundNAT: true, MaxPods: 30,
				Upgrade: topology.Upgrade{
					MaxSurge: "33%", MaxUnavailable: "0", DrainTimeoutMinutes: 30,
					NodeSoakMinutes: 5,
				},
				KubernetesVersion: "1.34", Labels: map[string]string{"team": "shop"}, Taints: []corev1.Taint{gpu},
			}}},
		},
		{
			"a pool with autoscaling begins with the smallest number, at least 1",
			topology.Topology{Pools: []topology.Pool{
				{Name: "some", Platform: platform.Linux, Autoscaling: topology.Autoscaling{Min: 3, Max: 5}},
				{Name: "none", Platform: platform.Linux, Autoscaling: topology.Autoscaling{Max: 5}},
				{
					Name: "given", Platform: platform.Linux, Empty: true,
					Autoscaling: topology.Autoscaling{Max: 5},
				},
			}},
			topology.Topology{Pools: []topology.Pool{
				{
					Name: "some", Platform: platform.Linux, Mode: topology.User, Count: 3,
					Autoscaling: topology.Autoscaling{Min: 3, Max: 5},
				},
				{
					Name: "none", Platform: platform.Linux, Mode: topology.User, Count: 1,
					Autoscaling: topology.Autoscaling{Max: 5},
				},
				{
					Name: "given", Platform: platform.Linux, Mode: topology.User, Empty: true,
					Autoscaling: topology.Autoscaling{Max: 5},
				},
			}},
		},
		{
			"a spot pool gets neither labels nor taints of its own",
			topology.Topology{Pools: []topology.Pool{{
				Platform: platform.Linux, Spot: true, FIPS: true,
				Zones: []string{"1"},
			}}},
			topology.Topology{Pools: []topology.Pool{{
				Platform: platform.Linux, Mode: topology.User, Count: 1,
				Spot: true, FIPS: true, Zones: []string{"1"},
			}}},
		},
		{
			"no nodes and no taints are answers, not omissions",
			topology.Topology{Pools: []topology.Pool{{
				Platform: platform.WindowsServer2022, Empty: true,
				Untainted: true,
			}}},
			topology.Topology{Pools: []topology.Pool{{
				Platform: platform.WindowsServer2022, Mode: topology.User,
				Empty: true, Untainted: true,
			}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.in.WithDefaults()
			if diff := cmp.Diff(topology.Defaulted{Topology: tt.want}, got); diff != "" {
				t.Errorf("WithDefaults() (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, got.WithDefaults()); diff != "" {
				t.Errorf("applied again (-once +twice):\n%s", diff)
			}
		})
	}
}

func TestWithDefaultsSharesNothingWithItsInput(t *testing.T) {
	t.Parallel()
	build := func() topology.Topology {
		added := metav1.NewTime(time.Unix(1, 0))
		in := windows(func(p *topology.Pool) {
			p.Zones = []string{"1"}
			p.Labels = map[string]string{"team": "shop"}
			p.Taints = []corev1.Taint{{Key: "a", Effect: corev1.TaintEffectNoSchedule, TimeAdded: &added}}
		})
		in.RuntimeClasses = []topology.RuntimeClass{{
			Name: "iis", NodeSelector: map[string]string{"a": "b"}, Tolerations: []topology.Toleration{{Key: "os"}},
		}}
		return in
	}
	in := build()
	out := in.WithDefaults()
	if diff := cmp.Diff(build(), in); diff != "" {
		t.Errorf("WithDefaults changed its input (-before +after):\n%s", diff)
	}
	out.RuntimeClasses[0].Name = "changed"
	out.RuntimeClasses[0].NodeSelector["a"] = "changed"
	out.RuntimeClasses[0].Tolerations[0].Key = "changed"
	out.Pools[0].Name = "changed"
	out.Pools[1].Zones[0] = "changed"
	out.Pools[1].Labels["team"] = "changed"
	out.Pools[1].Taints[0].Key = "changed"
	out.Pools[1].Taints[0].TimeAdded.Time = time.Unix(2, 0)
	if diff := cmp.Diff(build(), in); diff != "" {
		t.Errorf("a change of the copy changed the input (-before +after):\n%s", diff)
	}
}

func TestPlatformsAndPoolsOf(t *testing.T) {
	t.Parallel()
	pool := func(name string, p platform.Platform) topology.Pool { return topology.Pool{Name: name, Platform: p} }
	b25, a22, linux, a25 := pool("b", platform.WindowsServer2025), pool("a", platform.WindowsServer2022),
		pool("linux", platform.Linux), pool("a", platform.WindowsServer2025)
	several := topology.Topology{Pools: []topology.Pool{b25, a22, linux, a25}}

	t.Run("platforms come once each, from the oldest to the newest", func(t *testing.T) {
		t.Parallel()
		want := []platform.Platform{platform.Linux, platform.WindowsServer2022, platform.WindowsServer2025}
		if diff := cmp.Diff(want, several.Platforms()); diff != "" {
			t.Errorf("Platforms() (-want +got):\n%s", diff)
		}
	})
	t.Run("pools of a platform come in the topology's order", func(t *testing.T) {
		t.Parallel()
		if diff := cmp.Diff([]topology.Pool{b25, a25}, several.PoolsOf(platform.WindowsServer2025)); diff != "" {
			t.Errorf("PoolsOf() (-want +got):\n%s", diff)
		}
	})
	t.Run("a platform without pools has none", func(t *testing.T) {
		t.Parallel()
		if got := several.PoolsOf(platform.WindowsServer2019); got != nil {
			t.Errorf("PoolsOf() = %v, want none", got)
		}
	})
	t.Run("a topology without pools has no platforms", func(t *testing.T) {
		t.Parallel()
		if got := (topology.Topology{}).Platforms(); len(got) != 0 {
			t.Errorf("Platforms() = %v, want none", got)
		}
	})
}

func TestPoolPlatforms(t *testing.T) {
	t.Parallel()
	want := []platform.Platform{"linux", "windows-2019", "windows-2022", "windows-2025"}
	if diff := cmp.Diff(want, topology.PoolPlatforms()); diff != "" {
		t.Errorf("PoolPlatforms() (-want +got):\n%s", diff)
	}
	topology.PoolPlatforms()[0] = "changed"
	if diff := cmp.Diff(want, topology.PoolPlatforms()); diff != "" {
		t.Errorf("PoolPlatforms() after a caller changed its slice (-want +got):\n%s", diff)
	}
}

func TestIsSet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   topology.Topology
		want bool
	}{
		{"nothing", topology.Topology{}, false},
		{"a list without pools", topology.Topology{Pools: []topology.Pool{}}, false},
		{"a version only", topology.Topology{KubernetesVersion: "1.36"}, true},
		{"that more pools exist", topology.Topology{Partial: true}, true},
		{"that there are no RuntimeClasses", topology.Topology{RuntimeClasses: []topology.RuntimeClass{}}, true},
		{"pools only", topology.Topology{Pools: []topology.Pool{{Platform: platform.Linux}}}, true},
	} {
		if got := tt.in.IsSet(); got != tt.want {
			t.Errorf("%s: IsSet() = %t, want %t", tt.name, got, tt.want)
		}
	}
}
