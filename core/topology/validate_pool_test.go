package topology_test

import (
	"math"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestValidatePool(t *testing.T) {
	t.Parallel()
	const (
		pool     = "pools[1]."
		negative = ": must not be negative: use 0 for the default"
		price    = ": must be US dollars per hour, and not negative: use 0 for any price up to that of a regular " +
			"machine"
		noSize = ": the label node.kubernetes.io/instance-type of a node cannot have this value: use the name of the " +
			"cloud, for example Standard_D4s_v5, with at most 63 letters, digits, hyphens, underscores and periods, " +
			"and a letter or digit at both ends"
		noSpot  = ": only spot nodes have a maximum price: remove it, or set spot"
		evicted = "spot: Invalid value: true: the cluster's system pods need nodes that the cloud does not reclaim: " +
			"remove it, or use the mode User"
	)
	tests := []struct {
		name   string
		change func(*topology.Pool)
		want   []string
	}{
		{"a large disk", func(p *topology.Pool) { p.OSDiskSizeGB = 2048 }, nil},
		{
			"a disk of less than nothing", func(p *topology.Pool) { p.OSDiskSizeGB = -1 },
			[]string{pool + "osDiskSizeGB: Invalid value: -1" + negative},
		},

		{
			"a disk of more than a number has room for", func(p *topology.Pool) { p.OSDiskSizeGB = math.MaxInt32 + 1 },
			[]string{
				pool + "osDiskSizeGB: Invalid value: 2147483648: must be at most 2147483647: use 0 for the default",
			},
		},
		{"a managed disk", func(p *topology.Pool) { p.OSDiskType = topology.ManagedDisk }, nil},
		{"an ephemeral disk", func(p *topology.Pool) { p.OSDiskType = topology.EphemeralDisk }, nil},
		{
			"a type of disk in the wrong case", func(p *topology.Pool) { p.OSDiskType = "ephemeral" },
			[]string{
				pool + `osDiskType: Invalid value: "ephemeral": did you mean "Ephemeral"? valid types are Managed, ` +
					`Ephemeral`,
			},
		},
		{
			"a type of disk that is near nothing", func(p *topology.Pool) { p.OSDiskType = "SSD" },
			[]string{pool + `osDiskType: Invalid value: "SSD": valid types are Managed, Ephemeral`},
		},

		{"a size of another cloud", func(p *topology.Pool) { p.Size = "n2-custom-4-8192.ext" }, nil},
		{
			"a size with a character that no size has", func(p *topology.Pool) { p.Size = "Standard_D4s_v5&" },
			[]string{pool + `size: Invalid value: "Standard_D4s_v5&"` + noSize},
		},
		{
			"a size with code for a shell", func(p *topology.Pool) { p.Size = `Standard_D4ps_v5" & calc` },
			[]string{pool + `size: Invalid value: "Standard_D4ps_v5\" & calc"` + noSize},
		},
		{
			"a size that is too long", func(p *topology.Pool) { p.Size = "Standard_" + strings.Repeat("D", 55) },
			[]string{pool + `size: Invalid value: "Standard_` + strings.Repeat("D", 55) + `"` + noSize},
		},
		{"several zones", func(p *topology.Pool) { p.Zones = []string{"3", "1", "westeurope-2"} }, nil},
		{"no zones", func(p *topology.Pool) { p.Zones = []string{} }, nil},
		{
			"duplicate zones",
			func(p *topology.Pool) { p.Zones = []string{"1", "2", "1", "1"} },
			[]string{
				pool + `zones[2]: Duplicate value: "1": pools[1].zones[0] is this zone already: list each zone once`,
				pool + `zones[3]: Duplicate value: "1": pools[1].zones[0] is this zone already: list each zone once`,
			},
		},
		{
			"zones without a name are not duplicates",
			func(p *topology.Pool) { p.Zones = []string{"", "1", ""} },
			[]string{
				pool + "zones[0]: Required value: name the zone, or remove it from the list",
				pool + "zones[2]: Required value: name the zone, or remove it from the list",
			},
		},

		{"spot at any price", func(p *topology.Pool) { p.Spot = true }, nil},
		{"spot up to a price", func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.05 }, nil},
		{
			"spot for the system's pods",
			func(p *topology.Pool) { p.Platform, p.Mode, p.Spot = platform.Linux, topology.System, true },
			[]string{pool + evicted},
		},
		{
			"on Windows that is wrong twice",
			func(p *topology.Pool) { p.Mode, p.Spot = topology.System, true },
			[]string{
				pool + `mode: Invalid value: "System": a Windows pool cannot host the cluster's system pods: use ` +
					`User, and a Linux pool for System`,
				pool + evicted,
			},
		},
		{
			"any price, as Azure writes it", func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, -1 },
			[]string{pool + "spotMaxPrice: Invalid value: -1" + price},
		},
		{
			"a price that is not a number", func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, math.NaN() },
			[]string{pool + "spotMaxPrice: Invalid value: NaN" + price},
		},
		{
			"a price without end", func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, math.Inf(1) },
			[]string{pool + "spotMaxPrice: Invalid value: +Inf" + price},
		},
		{
			"a price without spot", func(p *topology.Pool) { p.SpotMaxPrice = 0.5 },
			[]string{pool + "spotMaxPrice: Invalid value: 0.5" + noSpot},
		},
		{
			"a negative price without spot", func(p *topology.Pool) { p.SpotMaxPrice = -0.5 },
			[]string{
				pool + "spotMaxPrice: Invalid value: -0.5" + price,
				pool + "spotMaxPrice: Invalid value: -0.5" + noSpot,
			},
		},

		{"FIPS on Windows", func(p *topology.Pool) { p.FIPS = true }, nil},
		{"FIPS on Linux", func(p *topology.Pool) { p.Platform, p.FIPS = platform.Linux, true }, nil},

		{"no outbound NAT on Windows", func(p *topology.Pool) { p.DisableOutboundNAT = true }, nil},
		{
			"no outbound NAT on Linux",
			func(p *topology.Pool) { p.Platform, p.DisableOutboundNAT = platform.Linux, true },
			[]string{pool + "disableOutboundNAT: Invalid value: true: only for Windows nodes: remove it"},
		},
		{
			"a misspelled platform may be Windows, and is reported alone",
			func(p *topology.Pool) { p.Platform, p.DisableOutboundNAT = "windows-2021", true },
			[]string{pool + `platform: Invalid value: "windows-2021": unknown platform: did you mean "windows-2022"? ` +
				runs},
		},

		{"many pods", func(p *topology.Pool) { p.MaxPods = 250 }, nil},
		{
			"fewer pods than none", func(p *topology.Pool) { p.MaxPods = -1 },
			[]string{pool + "maxPods: Invalid value: -1" + negative},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantErrors(t, windows(tt.change).Validate(nil), tt.want...)
		})
	}
}

// Pools of existing clusters are validated alone, with or without their defaults.
func TestAPoolIsValidatedAlone(t *testing.T) {
	t.Parallel()
	good := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022}
	newer := topology.Pool{Name: "win22", Platform: good.Platform, KubernetesVersion: "1.37"}
	for name, tt := range map[string]struct {
		pool         topology.Pool
		controlPlane string
		want         []string
	}{
		"good": {pool: good, controlPlane: "1.36"},
		"nothing": {want: []string{
			"pool.name: Required value: name the pool, for example win22",
			"pool.platform: Required value: a pool runs linux, windows-2019, windows-2022 or windows-2025",
		}},
		"newer than the control plane": {newer, "1.36", []string{
			`pool.kubernetesVersion: Invalid value: "1.37": newer than the control plane (1.36), which a kubelet ` +
				`must not be: upgrade the control plane first, or use 1.36`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, completed := field.NewPath("pool"), tt.pool.WithDefaults(tt.controlPlane)
			wantErrors(t, tt.pool.Validate(tt.controlPlane, path), tt.want...)
			wantErrors(t, completed.Validate(tt.controlPlane, path), tt.want...)
		})
	}
}
