package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// These names are in use, so they must never change: if a name changed, the pools of all clusters would be replaced.
func TestPoolNamesNeverChange(t *testing.T) {
	t.Parallel()
	linux := topology.Pool{Name: "sys", Platform: platform.Linux, Size: "Standard_D4s_v5"}
	windows := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}
	tests := []struct {
		name string
		pool topology.Pool
		want string
	}{
		{"Linux", linux, "sysvhv"},
		{"Windows", windows, "win22d"},
		{"room for two", named(windows, "wi22"), "wi22d2"},
		{"room for three, and no more", named(windows, "w"), "wd2x"},
		{"no room on Windows", named(windows, "win22x"), "win22x"},
		{"too long", named(windows, "windows2022"), "windows2022"},
		{"no room on Linux", named(linux, "abcdefghijkl"), "abcdefghijkl"},
		{"room for one on Linux", named(linux, "abcdefghijk"), "abcdefghijkv"},
		{
			"everything", topology.Pool{
				Name: "sys", Platform: platform.Linux, Size: "Standard_D4s_v5", MaxPods: 50, OSDiskSizeGB: 256,
				OSDiskType: topology.EphemeralDisk,
				Zones:      []string{"2", "1"}, Spot: true, SpotMaxPrice: 0.25,
			}, "syskfz",
		},
		{
			"everything on Windows", topology.Pool{
				Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D8s_v5", FIPS: true,
				DisableOutboundNAT: true,
			}, "win25v",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := plan.PoolName(tt.pool, nil); got != tt.want {
				t.Errorf("PoolName() = %q, want %q", got, tt.want)
			}
		})
	}
}

// The names of pools with options that Azure never changes are in use too.
func TestPoolNamesWithOptionsNeverChange(t *testing.T) {
	t.Parallel()
	linux := topology.Pool{Name: "sys", Platform: platform.Linux, Size: "Standard_D4s_v5"}
	for want, options := range map[string]obj{
		"sysvhv": {
			"workloadRuntime": "OCIContainer", "enableNodePublicIP": tree.Unknown{},
			"kubeletConfig": obj{"cpuManagerPolicy": tree.Unknown{}}, "hostGroupID": tree.Secret{Value: "/hosts"},
			"type": "VirtualMachineScaleSets", "osSKU": "AzureLinux",
		},
		"sysp8y": {"enableEncryptionAtHost": true},
		"syshl6": {"kubeletConfig": obj{"containerLogMaxFiles": int64(3), "containerLogMaxSizeMB": int64(20)}},
		"sysp6t": {
			"enableUltraSSD": false, "hostGroupID": "/hosts", "gpuProfile": obj{"driver": "None"},
			"networkProfile": obj{"nodePublicIPTags": []any{obj{"tag": "shop"}}},
		},
	} {
		if got := plan.PoolName(linux, options); got != want {
			t.Errorf("PoolName() with %v = %q, want %q", options, got, want)
		}
	}
}

func named(p topology.Pool, name string) topology.Pool {
	p.Name = name
	return p
}

func TestChangesInPlaceDoNotRenamePools(t *testing.T) {
	t.Parallel()
	pool := topology.Pool{Name: "base", Platform: platform.Linux, Size: "Standard_D4s_v5", Zones: []string{"1", "2"}}
	want := plan.PoolName(pool, nil)
	for name, change := range map[string]func(*topology.Pool){
		"count":       func(p *topology.Pool) { p.Count = 7 },
		"mode":        func(p *topology.Pool) { p.Mode = topology.System },
		"autoscaling": func(p *topology.Pool) { p.Autoscaling = topology.Autoscaling{Min: 1, Max: 3} },
		"labels":      func(p *topology.Pool) { p.Labels = map[string]string{"a": "b"} },
		"taints":      func(p *topology.Pool) { p.Taints = append(p.Taints, topology.WindowsTaint()) },
		"upgrade":     func(p *topology.Pool) { p.Upgrade.MaxSurge = "1" },
		"version":     func(p *topology.Pool) { p.KubernetesVersion = "1.36" },
		"FIPS":        func(p *topology.Pool) { p.FIPS = true }, // on Linux
		"zone order":  func(p *topology.Pool) { p.Zones = []string{"2", "1"} },
	} {
		changed := pool
		change(&changed)
		if got := plan.PoolName(changed, nil); got != want {
			t.Errorf("%s: PoolName() = %q, want %q", name, got, want)
		}
	}
}

// Each character of the suffix matters: two names with the same room differ about as often as random names.
func TestSuffixesAreSpread(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]float64{"win22": 36, "wi22": 36 * 36} {
		seen := map[string]int{}
		const pools = 4000
		for i := range pools {
			seen[plan.PoolName(topology.Pool{
				Name: name, Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
				OSDiskSizeGB: i + 1,
			}, nil)]++
		}
		met := 0
		for got, n := range seen {
			if !strings.HasPrefix(got, name) || len(got) != 6 {
				t.Errorf("PoolName() = %q", got)
			}
			met += n * (n - 1)
		}
		odds := float64(pools) * (pools - 1) / float64(met)
		if odds < want*0.8 {
			t.Errorf("two pools named %s have the same name with odds of 1 in %.0f, want 1 in %.0f", name, odds, want)
		}
	}
}

func TestLabelsAndTaintsThatAzureAddsToPools(t *testing.T) {
	t.Parallel()
	spot := topology.Pool{
		Name: "spot", Platform: platform.Linux, Size: "Standard_D4s_v5", Spot: true,
		Labels: map[string]string{"team": "shop"},
	}
	declared := plan.Declared(spot)
	if diff := cmp.Diff(map[string]string{"team": "shop", "kubernetes.azure.com/scalesetpriority": "spot"},
		declared.Labels); diff != "" {
		t.Errorf("declared labels (-want +got):\n%s", diff)
	}
	if len(declared.Taints) != 1 || declared.Taints[0] != plan.SpotTaint() {
		t.Errorf("declared taints are %v", declared.Taints)
	}
	if again := plan.Declared(declared); !cmp.Equal(declared, again) {
		t.Errorf("Declared() of a declared pool = %v", again)
	}
	if len(spot.Labels) != 1 || len(spot.Taints) != 0 {
		t.Errorf("Declared() has changed its argument: %v", spot)
	}
	fromZero := topology.Pool{
		Name: "win", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
		Autoscaling: topology.Autoscaling{Max: 3},
	}
	if diff := cmp.Diff(map[string]string{"mixedkube.dev/platform": "windows-2022"},
		plan.Declared(fromZero).Labels); diff != "" {
		t.Errorf("declared labels of a Windows pool that scales from zero (-want +got):\n%s", diff)
	}
	fromZero.Labels = map[string]string{"mixedkube.dev/platform": "mine"}
	if got := plan.Declared(fromZero).Labels["mixedkube.dev/platform"]; got != "mine" {
		t.Errorf("the label that the program sets is %q, want mine", got)
	}
	fromZero.Labels, fromZero.Platform = nil, platform.Linux
	if got := plan.Declared(fromZero).Labels; got != nil {
		t.Errorf("a Linux pool has the labels %v", got)
	}
	windows := plan.Registered(topology.Pool{
		Name: "win25", Platform: platform.WindowsServer2025, Mode: topology.User, Size: "Standard_D4s_v5", FIPS: true,
		Labels: map[string]string{"team": "shop"},
	}, plan.PoolOptions{}, plan.Overlay)
	if diff := cmp.Diff(map[string]string{
		"agentpool": "win25h", "kubernetes.azure.com/agentpool": "win25h", "kubernetes.azure.com/mode": "user",
		"kubernetes.azure.com/role": "agent", "kubernetes.azure.com/os-sku": "Windows2025",
		"kubernetes.azure.com/os-sku-requested": "Windows2025",
		"kubernetes.azure.com/os-sku-effective": "Windows2025",
		"kubernetes.azure.com/nodepool-type":    "VirtualMachineScaleSets",
		"kubernetes.azure.com/fips_enabled":     "true",
		"kubernetes.azure.com/sku-cpu":          "4",
		"kubernetes.azure.com/sku-memory":       "16384",
		"team":                                  "shop",
	}, windows.Labels); diff != "" {
		t.Errorf("registered labels (-want +got):\n%s", diff)
	}
	machines := plan.Registered(spot, plan.PoolOptions{Options: obj{"type": "VirtualMachines"}}, plan.Overlay)
	if got := machines.Labels["kubernetes.azure.com/nodepool-type"]; got != "VirtualMachines" {
		t.Errorf("the type of a pool of virtual machines is %q", got)
	}
	// Linux pools have all labels that pods can select: a missing label would count as one that the nodes do not have.
	for _, c := range []struct{ osSKU, version, want, effective string }{
		{"", "1.35", "Ubuntu", "Ubuntu2404"},
		{"", "1.34.2", "Ubuntu", "Ubuntu2204"},
		{"", "", "Ubuntu", ""},
		{"Ubuntu2204", "1.36", "Ubuntu2204", "Ubuntu2204"},
		{"AzureLinux", "", "AzureLinux", "AzureLinux3"},
	} {
		spot.KubernetesVersion = c.version
		labels := plan.Registered(spot, plan.PoolOptions{Options: obj{"osSKU": c.osSKU}}, plan.Overlay).Labels
		for name, want := range map[string]string{
			"os-sku": c.want, "os-sku-requested": c.want, "os-sku-effective": c.effective,
			"priority": "spot", "scalesetpriority": "spot",
		} {
			if got := labels["kubernetes.azure.com/"+name]; got != want {
				t.Errorf("%q in %q: %s is %q, want %q", c.osSKU, c.version, name, got, want)
			}
		}
	}
}
