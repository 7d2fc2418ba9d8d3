package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestNodeLabels(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		pool topology.Pool
		want map[string]string
	}{
		{"a Linux node has system and architecture", topology.Pool{Platform: platform.Linux}, map[string]string{
			"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
			"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64",
		}},
		{
			"a Windows node also the build, and any node the size and the pool's own",
			topology.Pool{
				Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
				Labels: map[string]string{"team": "shop"},
			},
			map[string]string{
				"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
				"beta.kubernetes.io/os": "windows", "beta.kubernetes.io/arch": "amd64",
				"node.kubernetes.io/windows-build": "10.0.20348",
				"node.kubernetes.io/instance-type": "Standard_D4s_v5",
				"team":                             "shop",
			},
		},
		{
			"a node of an Arm64 size has that architecture",
			topology.Pool{Platform: platform.Linux, Size: "Standard_D4ps_v5"},
			map[string]string{
				"kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64",
				"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "arm64",
				"node.kubernetes.io/instance-type": "Standard_D4ps_v5",
			},
		},
		{
			"spot, FIPS and zones are the cloud's to label",
			topology.Pool{Platform: platform.Linux, Spot: true, SpotMaxPrice: 0.25, FIPS: true, Zones: []string{"1"}},
			map[string]string{
				"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
				"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.pool.NodeLabels()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("NodeLabels() (-want +got):\n%s", diff)
			}
			got["changed"] = "yes"
			if _, shared := tt.pool.Labels["changed"]; shared {
				t.Error("NodeLabels() shares its map with the pool")
			}
		})
	}
}

func TestNodeSelector(t *testing.T) {
	t.Parallel()
	tests := map[platform.Platform]map[string]string{
		platform.Linux: {"kubernetes.io/os": "linux"},
		platform.WindowsServer2019: {
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
			"node.kubernetes.io/windows-build": "10.0.17763",
		},
		platform.WindowsServer2022: {
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
			"node.kubernetes.io/windows-build": "10.0.20348",
		},
		platform.WindowsServer2025: {
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
			"node.kubernetes.io/windows-build": "10.0.26100",
		},
	}
	for p, want := range tests {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, topology.NodeSelector(p)); diff != "" {
				t.Errorf("NodeSelector(%s) (-want +got):\n%s", p, diff)
			}
		})
	}
}

func TestSelectorSelectsOnlyNodesOfItsPlatform(t *testing.T) {
	t.Parallel()
	pools := []topology.Pool{{Platform: platform.Linux, Size: "Standard_D4ps_v5"}}
	for _, p := range topology.PoolPlatforms() {
		pools = append(pools, topology.Pool{Platform: p})
	}
	for _, selected := range topology.PoolPlatforms() {
		for _, pool := range pools {
			labels := pool.NodeLabels()
			matches := true
			for key, value := range topology.NodeSelector(selected) {
				matches = matches && labels[key] == value
			}
			if matches != (pool.Platform == selected) {
				t.Errorf("the selector of %s selects a %s node of %s: %t", selected, pool.Architecture(), pool.Platform,
					matches)
			}
		}
	}
}

func TestScalesFromZero(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pool topology.Pool
		want bool
	}{
		"no autoscaling":                  {topology.Pool{Count: 1}, false},
		"no autoscaling, and no nodes":    {topology.Pool{Empty: true}, false},
		"at least one node":               {topology.Pool{Autoscaling: topology.Autoscaling{Min: 1, Max: 3}}, false},
		"at least none":                   {topology.Pool{Autoscaling: topology.Autoscaling{Max: 3}}, true},
		"at least none, beginning at two": {topology.Pool{Count: 2, Autoscaling: topology.Autoscaling{Max: 3}}, true},
	} {
		if got := tt.pool.ScalesFromZero(); got != tt.want {
			t.Errorf("%s: ScalesFromZero() is %t", name, got)
		}
	}
}
