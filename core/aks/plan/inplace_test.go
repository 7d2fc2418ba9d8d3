package plan_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// inPlace returns a change of the options of the Windows pool, and of the pool.
func inPlace(change func(p *topology.Pool), previews ...plan.Preview) func(c *plan.Cluster) {
	return both(keepingWindows(plan.PoolOptions{Change: plan.InPlace, Previews: previews}), func(c *plan.Cluster) {
		c.AzureCLI = true
		windows(change)(c)
	})
}

func larger(p *topology.Pool) { p.Size = "Standard_D8s_v5" }

func newerWindows(p *topology.Pool) { p.Platform, p.FIPS = platform.WindowsServer2025, true }

func size(name string) func(p *topology.Pool) { return func(p *topology.Pool) { p.Size = name } }

func inAzureOf(size string) func(p obj) { return func(p obj) { p["vmSize"] = size } }

const (
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
	{name: "in place, without a change", change: inPlace(func(*topology.Pool) {})},
	{name: "a larger size", change: inPlace(larger, plan.VMSSResize), want: []string{sizeInPlace}},
	{
		name: "a larger size of two nodes at a time", change: inPlace(larger, plan.VMSSResize),
		want: []string{sizeInPlace},
		pool: func(p obj) {
			p["count"], p["upgradeSettings"] = int64(5), obj{"maxSurge": "33%", "drainTimeoutInMinutes": int64(60)}
		},
	},
	{
		name: "a pool without nodes", change: inPlace(larger, plan.VMSSResize), want: []string{sizeInPlace},
		pool: func(p obj) { p["count"] = int64(0) },
	},
	{
		name:   "without azureCLI",
		change: both(inPlace(larger, plan.VMSSResize), func(c *plan.Cluster) { c.AzureCLI = false }),
		want:   []string{"error: pools[1].size (MK814)", sizeInPlace},
	},
	{
		name: "the first pool of the cluster", change: both(inPlace(func(*topology.Pool) {}), func(c *plan.Cluster) {
			c.Topology.Pools[0].Size = "Standard_D8s_v5"
			c.PoolOptions["sys"] = plan.PoolOptions{
				NameInAzure: "nodepool1", Change: plan.InPlace, Previews: []plan.Preview{plan.VMSSResize},
			}
		}), want: []string{"error: pools[0].size (MK813)"},
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

// The finding names the pool that exists, although its size has changed since, and no pool of another operating
// system, or of another pool of the program.
func TestTheNameOfAPoolThatChangesInPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, inAzure string
		windows       bool
		want          string
	}{
		{"made with another size", "win22x", true, "win22x"},
		{"of Linux", "win22x", false, "win22d"},
		{"of another pool", "windows", true, "win22d"},
		{"without a suffix", "win22", true, "win22"},
	} {
		c := good(func(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{Change: plan.InPlace} })
		a := clusterInAzure(nil, windowsInAzure(func(p obj) {
			p["name"] = tt.inAzure
			if !tt.windows {
				p["osType"], p["osSKU"] = "Linux", "Ubuntu"
			}
		}))
		found := plan.CheckTakeover(c, plan.FirstPool{}, a, place)
		i := slices.IndexFunc(found, func(f preflight.Finding) bool { return f.Rule == "MK812" })
		if want := `add nameInAzure: "` + tt.want + `"`; i < 0 || found[i].Fix != want {
			t.Errorf("%s: %v, want the fix %s", tt.name, found, want)
		}
	}
}

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
	o := plan.PoolOptions{NameInAzure: "win", Change: plan.InPlace}
	p := topology.Pool{Name: "win22", Platform: platform.WindowsServer2025, Size: "Standard_D8s_v5"}
	a := clusterInAzure(nil, windowsInAzure(nil))
	var got []string
	for _, c := range a.InPlaceCommands(p, o, place) {
		got = append(got, c.Name+" "+map[bool]string{true: "differs: "}[c.Differs]+c.Command.String())
	}
	const nodePool = "az aks nodepool update --resource-group shop-group --cluster-name shop --name win "
	want := []string{
		"size differs: " + nodePool + "--node-vm-size Standard_D8s_v5 --output none",
		"os differs: " + nodePool + "--os-sku Windows2025 --enable-fips-image --output none",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// A drain that has failed continues.
	a = clusterInAzure(nil, windowsInAzure(func(p obj) {
		p["vmSize"], p["osSKU"], p["provisioningState"] = "Standard_D8s_v5", "Windows2025", "Failed"
	}))
	if got := a.InPlaceCommands(p, o, place); !got[0].Differs || !got[1].Differs {
		t.Errorf("a pool whose change has failed has %v", got)
	}
	p.Platform = platform.WindowsServer2022
	if got := a.InPlaceCommands(p, o, place); len(got) != 1 {
		t.Errorf("a pool of Windows Server 2022 has %v", got)
	}
	p = topology.Pool{Name: "sys", Platform: platform.Linux, Size: "Standard_D4s_v5"}
	if got := a.InPlaceCommands(p, plan.PoolOptions{NameInAzure: "nodepool1"}, place); len(got) != 1 || got[0].Differs {
		t.Errorf("a Linux pool that is as it should be has %v", got)
	}
}
