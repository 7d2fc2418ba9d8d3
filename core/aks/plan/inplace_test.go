package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// inPlace returns a change of the options of the Windows pool, and of the pool, which has its version in Azure.
func inPlace(change func(p *topology.Pool), previews ...plan.Preview) func(c *plan.Cluster) {
	return both(keepingWindows(plan.PoolOptions{Change: plan.InPlace, Previews: previews}), func(c *plan.Cluster) {
		c.AzureCLI = true
		windows(func(p *topology.Pool) { p.KubernetesVersion = "1.35.1" })(c)
		windows(change)(c)
	})
}

func larger(p *topology.Pool) { p.Size = "Standard_D8s_v5" }

func newerWindows(p *topology.Pool) { p.Platform, p.FIPS = platform.WindowsServer2025, true }

func size(name string) func(p *topology.Pool) { return func(p *topology.Pool) { p.Size = name } }

func inAzureOf(size string) func(p obj) { return func(p obj) { p["vmSize"] = size } }

const (
	sizeByHand  = "error: pools[1].size (MK814)"
	sizeInPlace = "info: pools[1].size (MK815)"
	sizeRefused = "error: pools[1].size (MK813)"
	osInPlace   = "info: pools[1].platform (MK815)"
	osRefused   = "error: pools[1].platform (MK813)"
)

var inPlaceChecks = []takeoverCheck{
	{
		name:   "in place, without the name",
		change: func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{Change: plan.InPlace} },
		want:   []string{"error: poolOptions[win22].change (MK812)"},
	},
	{
		name: "in place, with another name",
		change: func(c *plan.Cluster) {
			c.PoolOptions["win22"] = plan.PoolOptions{NameInAzure: "win22d", Change: plan.InPlace}
		},
		pool: func(p obj) { p["name"] = "win22x" }, want: []string{"error: poolOptions[win22].nameInAzure (MK812)"},
	},
	{name: "in place, without a change", change: inPlace(func(*topology.Pool) {})},
	{name: "a larger size", change: inPlace(larger, plan.VMSSResize), want: []string{sizeInPlace}},
	{
		name: "a larger size of two nodes at a time", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) { larger(p); p.Count = 5 }, plan.VMSSResize),
		pool: func(p obj) {
			p["count"], p["upgradeSettings"] = int64(1), obj{"maxSurge": "33%", "drainTimeoutInMinutes": int64(60)}
		},
	},
	{
		name: "a larger size of a pool that scales itself", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) {
			larger(p)
			p.Autoscaling = topology.Autoscaling{Min: 1, Max: 9}
		}, plan.VMSSResize),
		pool: func(p obj) { p["count"] = int64(7) },
	},
	{
		name: "a larger size with another surge and timeout", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) {
			larger(p)
			p.Upgrade = topology.Upgrade{MaxSurge: "100%", DrainTimeoutMinutes: 90}
		}, plan.VMSSResize),
		pool: func(p obj) { p["upgradeSettings"] = obj{"maxSurge": "0", "maxUnavailable": "1"} },
	},
	{
		name: "a larger size and a newer version", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) { larger(p); p.KubernetesVersion = "1.36" }, plan.VMSSResize),
	},
	{
		name: "a larger size where pods have addresses of the subnet", want: []string{sizeInPlace},
		change: both(inPlace(larger, plan.VMSSResize), func(c *plan.Cluster) {
			c.Network.Mode = plan.NodeSubnet
			c.Topology.Pools[1].MaxPods = 0
		}),
		pool: func(p obj) { p["maxPods"] = int64(30) },
	},
	{
		name: "a pool without nodes", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) { larger(p); p.Count, p.Empty = 0, true }, plan.VMSSResize),
	},
	{
		name: "a stopped pool", want: []string{sizeInPlace}, change: inPlace(larger, plan.VMSSResize),
		pool: func(p obj) { p["powerState"] = obj{"code": "Stopped"} },
	},
	{
		name: "spot nodes", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) { larger(p); p.Spot = true }, plan.VMSSResize),
		pool:   func(p obj) { p["scaleSetPriority"], p["spotMaxPrice"] = "Spot", -1 },
	},
	{
		name: "a soak after each drain, and nodes that stay cordoned", want: []string{sizeInPlace},
		change: inPlace(func(p *topology.Pool) {
			larger(p)
			p.Count = 5
			p.Upgrade = topology.Upgrade{MaxSurge: "2", NodeSoakMinutes: 10, UndrainableNodes: topology.Cordon}
		}, plan.VMSSResize),
	},
	{
		name: "a size in another case", change: inPlace(size("standard_d4s_V5"), plan.VMSSResize),
	},
	{
		name: "a size that is not known", change: inPlace(size("Standard_NC8as_T4_v3"), plan.VMSSResize),
		want: []string{"warning: pools[1].size (MK813)", sizeInPlace},
	},
	{
		name:   "without azureCLI",
		change: both(inPlace(larger, plan.VMSSResize), func(c *plan.Cluster) { c.AzureCLI = false }),
		want:   []string{sizeByHand},
	},
	{
		name: "without azureCLI, with more nodes and another version than in Azure", want: []string{sizeByHand},
		change: both(inPlace(func(p *topology.Pool) {
			larger(p)
			p.Count, p.KubernetesVersion, p.Upgrade.MaxSurge = 9, "1.36", "3"
		}, plan.VMSSResize), func(c *plan.Cluster) { c.AzureCLI = false }),
	},
	{
		name:   "without azureCLI and without a preview",
		change: both(inPlace(larger), func(c *plan.Cluster) { c.AzureCLI = false }), want: []string{sizeRefused},
	},
	{
		name: "the first pool of the cluster", change: both(inPlace(func(*topology.Pool) {}), func(c *plan.Cluster) {
			c.Topology.Pools[0].Size = "Standard_D8s_v5"
			c.PoolOptions["sys"] = plan.PoolOptions{
				NameInAzure: "nodepool1", Change: plan.InPlace, Previews: []plan.Preview{plan.VMSSResize},
			}
		}), want: []string{"info: pools[0].size (MK815)"},
	},
	{name: "without a preview", change: inPlace(larger), want: []string{sizeRefused}},
	{
		name: "with another preview", change: inPlace(larger, plan.WindowsOSUpgrade),
		want: []string{sizeRefused},
	},
	{
		name: "without a surge", change: inPlace(larger, plan.VMSSResize), want: []string{sizeRefused},
		pool: func(p obj) { p["upgradeSettings"] = obj{"maxSurge": "0", "maxUnavailable": "1"} },
	},
	{
		name: "without a surge, as a percentage", change: inPlace(larger, plan.VMSSResize), want: []string{sizeRefused},
		pool: func(p obj) { p["upgradeSettings"] = obj{"maxSurge": "0%", "maxUnavailable": "1"} },
	},
	{
		name: "without a surge in the same update", want: []string{sizeRefused},
		change: inPlace(func(p *topology.Pool) {
			larger(p)
			p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"}
		}, plan.VMSSResize),
	},
	{
		name: "virtual machines", change: inPlace(larger, plan.VMSSResize), want: []string{sizeRefused},
		pool: func(p obj) { p["type"] = "VirtualMachines" },
	},
	{
		name:   "another processor architecture",
		change: inPlace(size("Standard_D8ps_v5"), plan.VMSSResize), want: []string{sizeRefused},
	},
	{
		name: "no confidential machines", change: inPlace(larger, plan.VMSSResize),
		pool: inAzureOf("Standard_DC4as_v5"), want: []string{sizeRefused},
	},
	{
		name: "another generation", change: inPlace(size("Standard_D8s_v6"), plan.VMSSResize),
		want: []string{sizeRefused},
	},
	{
		name: "only generation 1 instead of 2", change: inPlace(size("Standard_D4_v3"), plan.VMSSResize),
		pool: func(p obj) { p["nodeImageVersion"] = "AKSWindows-2022-containerd-gen2-20348.5256.260717" },
		want: []string{sizeRefused},
	},
	{
		name: "generation 2 only, of a pool with it", change: inPlace(size("Standard_D8s_v6"), plan.VMSSResize),
		pool: func(p obj) { p["nodeImageVersion"] = "AKSWindows-2022-containerd-gen2-20348.5256.260717" },
		want: []string{"warning: pools[1].size (MK813)", sizeInPlace},
	},
	{
		name: "perhaps generation 2 instead of 1", change: inPlace(larger, plan.VMSSResize),
		pool: inAzureOf("Standard_D4_v3"), want: []string{"warning: pools[1].size (MK813)", sizeInPlace},
	},
	{
		name:   "perhaps another disk controller",
		pool:   func(p obj) { p["osSKU"], p["enableFIPS"] = "Windows2025", true },
		change: inPlace(func(p *topology.Pool) { newerWindows(p); size("Standard_D8s_v6")(p) }, plan.VMSSResize),
		want:   []string{"warning: pools[1].size (MK813)", sizeInPlace},
	},
	{name: "a newer release", change: inPlace(newerWindows, plan.WindowsOSUpgrade), want: []string{osInPlace}},
	{
		name:   "a newer release and a larger size",
		change: inPlace(func(p *topology.Pool) { newerWindows(p); larger(p) }, plan.WindowsOSUpgrade, plan.VMSSResize),
		want:   []string{osInPlace, sizeInPlace},
	},
	{
		name: "a newer release and a smaller size", want: []string{osInPlace, sizeInPlace},
		pool: inAzureOf("Standard_D8s_v5"),
		change: inPlace(func(p *topology.Pool) { newerWindows(p); size("Standard_D4s_v5")(p) }, plan.WindowsOSUpgrade,
			plan.VMSSResize),
	},
	{name: "a newer release without the preview", change: inPlace(newerWindows), want: []string{osRefused}},
	{
		name: "an older release", change: inPlace(func(*topology.Pool) {}, plan.WindowsOSUpgrade),
		pool: func(p obj) { p["osSKU"] = "Windows2025" }, want: []string{osRefused},
	},
	{
		name: "another number of pods", want: []string{"error: poolOptions[win22].nameInAzure (MK777)", sizeInPlace},
		change: inPlace(func(p *topology.Pool) { larger(p); p.MaxPods = 40 }, plan.VMSSResize),
	},
	{
		name: "FIPS alone", want: []string{"error: poolOptions[win22].nameInAzure (MK777)"},
		change: inPlace(func(p *topology.Pool) { p.FIPS = true }, plan.VMSSResize),
	},
}

func TestChangesInPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range inPlaceChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
}

// The findings name the pool that exists, although its size has changed since, and no pool of another operating
// system, or of another pool of the program. If several exist, the pool of the present size comes first.
func TestTheNameOfAPoolThatChangesInPlace(t *testing.T) {
	t.Parallel()
	const add, use = "add nameInAzure: ", "use "
	for _, tt := range []struct {
		name    string
		options plan.PoolOptions
		inAzure []string
		change  func(p obj)
		want    string
	}{
		{"made with another size", plan.PoolOptions{}, []string{"win22x"}, nil, add + `"win22x"`},
		{"of Linux", plan.PoolOptions{}, []string{"win22x"}, ofLinux, add + `"win22d"`},
		{"of another pool", plan.PoolOptions{}, []string{"windows"}, nil, add + `"win22d"`},
		{"of another program", plan.PoolOptions{}, []string{"win22x"}, ofAnother, add + `"win22d"`},
		{"without a suffix", plan.PoolOptions{}, []string{"win22"}, nil, add + `"win22"`},
		{"the old and the new one", plan.PoolOptions{}, []string{"win22x", "win22d"}, nil, add + `"win22d"`},
		{"two old ones", plan.PoolOptions{}, []string{"win22x", "win22y"}, nil, add + `"win22x" or "win22y"`},
		{"another name", plan.PoolOptions{NameInAzure: "win22d"}, []string{"win22x"}, nil, use + `"win22x"`},
		{"the right name", plan.PoolOptions{NameInAzure: "win22x"}, []string{"win22x"}, nil, ""},
		{"a new pool", plan.PoolOptions{NameInAzure: "win22d"}, []string{"windows"}, nil, ""},
	} {
		tt.options.Change = plan.InPlace
		c := good(func(c *plan.Cluster) { c.PoolOptions["win22"] = tt.options })
		var pools []obj
		for _, name := range tt.inAzure {
			pools = append(pools, windowsInAzure(func(p obj) {
				p["name"] = name
				if tt.change != nil {
					tt.change(p)
				}
			}))
		}
		got := ""
		for _, f := range plan.CheckTakeover(c, plan.FirstPool{}, clusterInAzure(nil, pools...), place) {
			if f.Rule == "MK812" {
				got = f.Fix
			}
		}
		if got != tt.want {
			t.Errorf("%s: the fix is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func ofLinux(p obj) { p["osType"], p["osSKU"] = "Linux", "Ubuntu" }

func ofAnother(p obj) { p["tags"] = obj{plan.OwnerTag: "shop"} }

// The names of previews are those of the facts, so that the fix has the command that registers the feature.
func TestThePreviewOfSizesIsAFeature(t *testing.T) {
	t.Parallel()
	for _, c := range facts.AKSPreviewChanges {
		if c.Property == "vmSize" && c.Feature != "Microsoft.ContainerService/"+string(plan.VMSSResize) {
			t.Errorf("the feature is %s", c.Feature)
		}
	}
}

func TestCommandsOfChangesInPlace(t *testing.T) {
	t.Parallel()
	p := topology.Pool{Name: "win22", Platform: platform.WindowsServer2025, Size: "Standard_D8s_v5"}
	const (
		nodePool = "az aks nodepool update --resource-group shop-group --cluster-name shop --name win "
		resize   = "size: " + nodePool + "--node-vm-size Standard_D8s_v5 --output none"
		upgrade  = "os: " + nodePool + "--os-sku Windows2025 --enable-fips-image --output none"
	)
	both := []plan.Preview{plan.VMSSResize, plan.WindowsOSUpgrade}
	for name, tt := range map[string]struct {
		pool     func(p obj)
		desired  func(p *topology.Pool)
		previews []plan.Preview
		want     []string
	}{
		"both differ": {
			func(p obj) { p["eTag"] = "7" }, nil, both,
			[]string{
				resize + " (vmSize=Standard_D4s_v5 osSKU=Windows2022 provisioningState= eTag=7)",
				upgrade + " (vmSize=Standard_D4s_v5 osSKU=Windows2022 provisioningState= eTag=7)",
			},
		},
		"a drain that has failed continues": {
			func(p obj) {
				p["vmSize"], p["osSKU"], p["provisioningState"] = "Standard_D8s_v5", "Windows2025", "Failed"
			}, nil, both, []string{
				resize + " (vmSize=Standard_D8s_v5 osSKU=Windows2025 provisioningState=Failed eTag=)",
				upgrade + " (vmSize=Standard_D8s_v5 osSKU=Windows2025 provisioningState=Failed eTag=)",
			},
		},
		"a drain that has failed, and previews of some changes": {
			func(p obj) {
				p["vmSize"], p["osSKU"], p["provisioningState"] = "Standard_D8s_v5", "Windows2025", "Failed"
			}, nil, both[:1], []string{
				resize + " (vmSize=Standard_D8s_v5 osSKU=Windows2025 provisioningState=Failed eTag=)", upgrade + " ()",
			},
		},
		"a size in another case": {
			func(p obj) { p["vmSize"] = "standard_d8s_v5" },
			func(p *topology.Pool) { p.Platform = platform.WindowsServer2022 }, both,
			[]string{resize + " ()"},
		},
		"a pool that gets more nodes": {
			func(p obj) { p["vmSize"], p["provisioningState"] = "Standard_D8s_v5", "Scaling" },
			func(p *topology.Pool) { p.Platform = platform.WindowsServer2022 }, both,
			[]string{resize + " ()"},
		},
	} {
		if tt.desired == nil {
			tt.desired = func(*topology.Pool) {}
		}
		desired := p
		tt.desired(&desired)
		o := plan.PoolOptions{NameInAzure: "win", Change: plan.InPlace, Previews: tt.previews}
		var got []string
		for _, c := range clusterInAzure(nil, windowsInAzure(tt.pool)).InPlaceCommands(desired, o, place) {
			got = append(got, c.Name+": "+c.Command.String()+" ("+c.Differs+")")
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, tt.want)
		}
	}
}

// azure-native sends the changes of a Linux pool that need no preview, and those that the pool does not have in Azure
// yet, so that they fail there if the findings about them are ignored.
func TestPropertiesThatTheResourceIgnores(t *testing.T) {
	t.Parallel()
	const all = "vmSize osSKU enableFIPS"
	keeps, inPlace := plan.PoolOptions{NameInAzure: "win"}, plan.PoolOptions{NameInAzure: "win", Change: plan.InPlace}
	for name, tt := range map[string]struct {
		options plan.PoolOptions
		change  func(p *topology.Pool)
		want    string
	}{
		"in place":               {inPlace, larger, all},
		"in place, of Linux":     {inPlace, func(p *topology.Pool) { p.Platform = platform.Linux }, "vmSize"},
		"as in Azure":            {keeps, func(*topology.Pool) {}, all},
		"a size in another case": {keeps, size("standard_d4s_v5"), all},
		"another size":           {keeps, larger, "osSKU enableFIPS"},
		"another release":        {keeps, newerWindows, "vmSize"},
		"FIPS":                   {keeps, func(p *topology.Pool) { p.FIPS = true }, "vmSize osSKU"},
		"a new pool":             {plan.PoolOptions{NameInAzure: "new"}, larger, ""},
		"without the name":       {plan.PoolOptions{}, func(*topology.Pool) {}, ""},
	} {
		p := good(nil).Topology.Pools[1]
		tt.change(&p)
		got := strings.Join(clusterInAzure(nil, windowsInAzure(nil)).IgnoredInPlace(p, tt.options), " ")
		if got != tt.want {
			t.Errorf("%s: the resource ignores %q, want %q", name, got, tt.want)
		}
	}
}
