package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// These are names of existing machines: another hash would replace them.
func TestNamesOfMachines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		pool topology.Pool
		o    plan.PoolOptions
		want []string
	}{
		{
			"one",
			topology.Pool{Name: "linux", Platform: platform.Linux, Count: 1, Size: size},
			plan.PoolOptions{},
			[]string{"linux-30g-0"},
		},
		{
			"three",
			topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Count: 3, Size: size},
			plan.PoolOptions{},
			[]string{"win22-7fh-0", "win22-7fh-1", "win22-7fh-2"},
		},
		{
			"none", topology.Pool{
				Name: "win22", Platform: platform.WindowsServer2022, Empty: true,
				Size: size,
			}, plan.PoolOptions{}, nil,
		},
		{
			"everything", topology.Pool{
				Name: "win25", Platform: platform.WindowsServer2025, Count: 1, Size: "Standard_D8s_v5",
				OSDiskSizeGB: 256, OSDiskType: topology.EphemeralDisk,
				Zones: []string{"2", "1"}, Spot: true, SpotMaxPrice: 0.25, MaxPods: 60, KubernetesVersion: "v1.35",
				Labels: map[string]string{"team": "shop"}, Taints: []corev1.Taint{topology.WindowsTaint()},
			}, plan.PoolOptions{
				Kubelet: bootstrap.KubeletOptions{
					SystemReserved: map[string]string{"memory": "3Gi"}, KubeReserved: map[string]string{"cpu": "1"},
					EvictionHard: map[string]string{"memory.available": "1Gi"}, PriorityClass: "HIGH_PRIORITY_CLASS",
				},
				Image: plan.Image{ID: "/subscriptions/s/image"},
			}, []string{"win25-kub-0"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pool := topology.Topology{
				KubernetesVersion: "1.36",
				Pools:             []topology.Pool{tt.pool},
			}.WithDefaults().Pools[0]
			machines := plan.PoolMachines(pool, tt.o, network.FlannelVXLAN, releases(), plan.Key{})
			equal(t, "names", tt.want, names(machines))
		})
	}
}

// change is a change of a pool and its options; others is true if it creates other machines.
type change struct {
	apply  func(*topology.Pool, *plan.PoolOptions, *bootstrap.Releases)
	others bool
}

func inPool(others bool, apply func(p *topology.Pool)) change {
	return change{func(p *topology.Pool, _ *plan.PoolOptions, _ *bootstrap.Releases) { apply(p) }, others}
}

func inOptions(others bool, apply func(o *plan.PoolOptions)) change {
	return change{func(_ *topology.Pool, o *plan.PoolOptions, _ *bootstrap.Releases) { apply(o) }, others}
}

func inReleases(others bool, apply func(r *bootstrap.Releases)) change {
	return change{func(_ *topology.Pool, _ *plan.PoolOptions, r *bootstrap.Releases) { apply(r) }, others}
}

// changes has each field that a machine is created from: a missing field fails the test. The names do
// not depend on fields that a machine does not get when it is created or joins.
var changes = map[string]change{
	"Pool.Name":               inPool(true, func(p *topology.Pool) { p.Name = "w" }),
	"Pool.Platform":           inPool(true, func(p *topology.Pool) { p.Platform = platform.WindowsServer2025 }),
	"Pool.Mode":               inPool(false, func(p *topology.Pool) { p.Mode = topology.System }),
	"Pool.Count":              inPool(false, func(p *topology.Pool) { p.Count = 2 }),
	"Pool.Empty":              inPool(false, func(p *topology.Pool) { p.Empty = true }),
	"Pool.Autoscaling":        inPool(false, func(p *topology.Pool) { p.Autoscaling.Max = 9 }),
	"Pool.Size":               inPool(true, func(p *topology.Pool) { p.Size = "Standard_D8s_v5" }),
	"Pool.OSDiskSizeGB":       inPool(true, func(p *topology.Pool) { p.OSDiskSizeGB = 256 }),
	"Pool.OSDiskType":         inPool(true, func(p *topology.Pool) { p.OSDiskType = topology.EphemeralDisk }),
	"Pool.Zones":              inPool(true, func(p *topology.Pool) { p.Zones = []string{"1", "2", "3"} }),
	"Pool.Spot":               inPool(true, func(p *topology.Pool) { p.Spot = true }),
	"Pool.SpotMaxPrice":       inPool(true, func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.5 }),
	"Pool.FIPS":               inPool(false, func(p *topology.Pool) { p.FIPS = true }),
	"Pool.DisableOutboundNAT": inPool(false, func(p *topology.Pool) { p.DisableOutboundNAT = true }),
	"Pool.MaxPods":            inPool(true, func(p *topology.Pool) { p.MaxPods = 60 }),
	"Pool.Reserved":           inPool(false, func(p *topology.Pool) { p.Reserved = corev1.ResourceList{"cpu": {}} }),
	"Pool.Reported":           inPool(false, func(p *topology.Pool) { p.Reported.Architecture = "amd64" }),
	"Pool.Upgrade":            inPool(false, func(p *topology.Pool) { p.Upgrade.MaxSurge = "1" }),
	"Pool.KubernetesVersion":  inPool(true, func(p *topology.Pool) { p.KubernetesVersion = "1.35" }),
	"Pool.Labels":             inPool(true, func(p *topology.Pool) { p.Labels = map[string]string{"team": "shop"} }),
	"Pool.Taints":             inPool(true, func(p *topology.Pool) { p.Taints = nil }),
	// With the defaults, Taints are all there are.
	"Pool.Untainted": inPool(false, func(p *topology.Pool) { p.Untainted = true }),

	"Kubelet.SystemReserved": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.SystemReserved = map[string]string{"memory": "3Gi"} }),
	"Kubelet.KubeReserved": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.KubeReserved = map[string]string{"memory": "3Gi"} }),
	"Kubelet.EvictionHard": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.EvictionHard = map[string]string{"memory.available": "1Gi"} }),
	"Kubelet.EvictionSoft": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.EvictionSoft = map[string]string{"memory.available": "1Gi"} }),
	"Kubelet.EvictionSoftGracePeriod": inOptions(true, func(o *plan.PoolOptions) {
		o.Kubelet.EvictionSoftGracePeriod = map[string]string{"memory.available": "1m"}
	}),
	"Kubelet.PriorityClass": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.PriorityClass = "HIGH_PRIORITY_CLASS" }),
	"Kubelet.ServerTLSBootstrap": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.ServerTLSBootstrap = true }),
	"Kubelet.TLSMinVersion": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.TLSMinVersion = "VersionTLS13" }),
	"Kubelet.DisableSeccompDefault": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.DisableSeccompDefault = true }),
	"Kubelet.ProtectKernelDefaults": inOptions(true,
		func(o *plan.PoolOptions) { o.Kubelet.ProtectKernelDefaults = true }),

	"Image.Publisher": inOptions(true, func(o *plan.PoolOptions) { o.Image.Publisher = "x" }),
	"Image.Offer":     inOptions(true, func(o *plan.PoolOptions) { o.Image.Offer = "x" }),
	"Image.SKU":       inOptions(true, func(o *plan.PoolOptions) { o.Image.SKU = "x" }),
	"Image.Version":   inOptions(true, func(o *plan.PoolOptions) { o.Image.Version = "x" }),
	"Image.ID":        inOptions(true, func(o *plan.PoolOptions) { o.Image.ID = "x" }),

	"Security.Type": inOptions(true, func(o *plan.PoolOptions) { o.Security.Type = plan.StandardSecurity }),
	"Security.DisableSecureBoot": inOptions(true,
		func(o *plan.PoolOptions) { o.Security.DisableSecureBoot = true }),
	"Security.EncryptionAtHost": inOptions(true, func(o *plan.PoolOptions) { o.Security.EncryptionAtHost = true }),
	"Patching.Mode": inOptions(true,
		func(o *plan.PoolOptions) { o.Patching.Mode = plan.AutomaticByPlatform }),
	"Patching.Reboot": inOptions(true, func(o *plan.PoolOptions) { o.Patching.Reboot = plan.RebootAlways }),

	"Releases.Kubernetes": inReleases(true, func(r *bootstrap.Releases) {
		for i := range r.Kubernetes {
			r.Kubernetes[i].Version += "1"
		}
	}),
	"Releases.Containerd":    inReleases(true, func(r *bootstrap.Releases) { r.Containerd.Version = "2.4.0" }),
	"Releases.Runc":          inReleases(false, func(r *bootstrap.Releases) { r.Runc.Version = "1.5.0" }),
	"Releases.CNIPlugins":    inReleases(true, func(r *bootstrap.Releases) { r.CNIPlugins.Version = "1.10.0" }),
	"Releases.Flannel":       inReleases(true, func(r *bootstrap.Releases) { r.Flannel.Version = "0.29.0" }),
	"Releases.PauseImage":    inReleases(true, func(r *bootstrap.Releases) { r.PauseImage = "example.com/pause:1" }),
	"Releases.FlannelPlugin": inReleases(true, func(r *bootstrap.Releases) { r.FlannelPlugin.Version = "1.10.0" }),
}

// changed returns the names of the machines of a Windows pool after a change.
func changed(c change) []string {
	pool := topology.Pool{
		Name: "win", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 1, Size: size,
		KubernetesVersion: "1.36",
		Zones:             []string{"1", "2"}, Taints: []corev1.Taint{topology.WindowsTaint()},
	}
	o, r := plan.PoolOptions{}, releases()
	c.apply(&pool, &o, &r)
	return names(plan.PoolMachines(pool, o, network.FlannelVXLAN, r, plan.Key{}))
}

func TestChangesOfPoolsThatReplaceMachines(t *testing.T) {
	t.Parallel()
	before := changed(inPool(false, func(*topology.Pool) {}))
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if others := changed(c)[0] != before[0]; others != c.others {
				t.Errorf("%v becomes %v", before, changed(c))
			}
		})
	}
}

func TestAllFieldsOfMachinesAreCovered(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for prefix, typ := range map[string]reflect.Type{
		"Pool.": reflect.TypeFor[topology.Pool](), "Kubelet.": reflect.TypeFor[bootstrap.KubeletOptions](),
		"Image.": reflect.TypeFor[plan.Image](), "Security.": reflect.TypeFor[plan.Security](),
		"Patching.": reflect.TypeFor[plan.Patching](), "Releases.": reflect.TypeFor[bootstrap.Releases](),
	} {
		for field := range typ.Fields() {
			name := prefix + field.Name
			known[name] = true
			if _, ok := changes[name]; !ok {
				t.Errorf("%s is neither in the names of machines nor known not to be", name)
			}
		}
	}
	for name := range changes {
		if !known[name] {
			t.Errorf("%s is not a field", name)
		}
	}
	// The fields of these are above.
	var names []string
	for field := range reflect.TypeFor[plan.PoolOptions]().Fields() {
		names = append(names, field.Name)
	}
	equal(t, "options", []string{"Kubelet", "Image", "Security", "Patching"}, names)
}

// Settings with the same meaning give the same names.
func TestEquivalentSettingsKeepTheMachines(t *testing.T) {
	t.Parallel()
	taints := func(keys ...string) change {
		return inPool(false, func(p *topology.Pool) {
			p.Taints = nil
			for _, key := range keys {
				p.Taints = append(p.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
			}
		})
	}
	version := func(text string) change { return inPool(false, func(p *topology.Pool) { p.KubernetesVersion = text }) }
	zones := func(zones ...string) change { return inPool(false, func(p *topology.Pool) { p.Zones = zones }) }
	labels := func(labels map[string]string) change {
		return inPool(false, func(p *topology.Pool) { p.Labels = labels })
	}
	reserved := func(m map[string]string) change {
		return inOptions(false, func(o *plan.PoolOptions) { o.Kubelet.SystemReserved = m })
	}
	for name, pair := range map[string][2]change{
		"zones in another order":             {zones("1", "2"), zones("2", "1")},
		"taints in another order":            {taints("a", "b"), taints("b", "a")},
		"no labels":                          {labels(nil), labels(map[string]string{})},
		"no zones":                           {zones(), zones([]string{}...)},
		"a minor version and its release":    {version("1.36"), version("1.36.4")},
		"a minor version with and without v": {version("1.36"), version("v1.36")},
		"nothing reserved and an empty map":  {reserved(nil), reserved(map[string]string{})},
		"a system pool": {
			version("1.36"),
			inPool(false, func(p *topology.Pool) { p.Mode = topology.System }),
		},
		"a price without spot, which is unused": {
			version("1.36"),
			inPool(false, func(p *topology.Pool) { p.SpotMaxPrice = 1 }),
		},
	} {
		equal(t, name, changed(pair[0]), changed(pair[1]))
	}
}

// A newer version creates other machines, whatever the image.
func TestNewerImagesReplaceMachines(t *testing.T) {
	t.Parallel()
	const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/g/images/i/versions/"
	seen := map[string]plan.Image{}
	for _, i := range []plan.Image{
		{},
		{Version: "20348.1906.230803"},
		{Version: "20348.1970.230905"},
		{Publisher: "p", Offer: "o", SKU: "s", Version: "latest"},
		{Publisher: "p", Offer: "o", SKU: "s", Version: "1.0.0"},
		{Publisher: "p", Offer: "o", SKU: "s", Version: "1.0.1"},
		{ID: id + "1.0.0"},
		{ID: id + "1.0.1"},
	} {
		name := changed(inOptions(true, func(o *plan.PoolOptions) { o.Image = i }))[0]
		if other, ok := seen[name]; ok {
			t.Errorf("machines of %v and of %v are called %s", i, other, name)
		}
		seen[name] = i
	}
}

// Different settings give different names, even if they are the same text when joined.
func TestDifferentSettingsReplaceMachines(t *testing.T) {
	t.Parallel()
	all := map[string]string{}
	for name, c := range map[string]change{
		"a label":               inPool(true, func(p *topology.Pool) { p.Labels = map[string]string{"a": "b"} }),
		"another value":         inPool(true, func(p *topology.Pool) { p.Labels = map[string]string{"a": "c"} }),
		"another key":           inPool(true, func(p *topology.Pool) { p.Labels = map[string]string{"b": "b"} }),
		"a label without value": inPool(true, func(p *topology.Pool) { p.Labels = map[string]string{"a": ""} }),
		"a taint": inPool(true,
			func(p *topology.Pool) { p.Taints = []corev1.Taint{{Key: "a", Value: "b", Effect: "NoSchedule"}} }),
		"another effect": inPool(true,
			func(p *topology.Pool) { p.Taints = []corev1.Taint{{Key: "a", Value: "b", Effect: "NoExecute"}} }),
		"one zone":          inPool(true, func(p *topology.Pool) { p.Zones = []string{"1"} }),
		"the other zone":    inPool(true, func(p *topology.Pool) { p.Zones = []string{"2"} }),
		"spot":              inPool(true, func(p *topology.Pool) { p.Spot = true }),
		"spot with a price": inPool(true, func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 1 }),
		"cpu for the system": inOptions(true, func(o *plan.PoolOptions) {
			o.Kubelet.SystemReserved = map[string]string{"cpu": "1"}
		}),
		"cpu for the kubelet": inOptions(true, func(o *plan.PoolOptions) {
			o.Kubelet.KubeReserved = map[string]string{"cpu": "1"}
		}),
		"an image by its offer":     inOptions(true, func(o *plan.PoolOptions) { o.Image.Offer = "a" }),
		"an image by its publisher": inOptions(true, func(o *plan.PoolOptions) { o.Image.Publisher = "a" }),
		"an image by its ID":        inOptions(true, func(o *plan.PoolOptions) { o.Image.ID = "a" }),
	} {
		machine := changed(c)[0]
		if before, twice := all[machine]; twice {
			t.Errorf("%s and %s both make %s", name, before, machine)
		}
		all[machine] = name
	}
}

// Windows accepts the names of the machines of every pool whose name is valid, and of no pool whose
// name is too long.
func TestWindowsNamesFit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		pool := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{{
			Name: strings.Repeat("w", 1+random.IntN(14)),
			Platform: []platform.Platform{
				platform.WindowsServer2019, platform.WindowsServer2022,
				platform.WindowsServer2025,
			}[random.IntN(3)],
			Size:  fmt.Sprintf("Standard_D%ds_v5", random.IntN(1000)),
			Count: []int{0, 1, 9, 10, 11, 99, 100, 101, 1000, 1001}[random.IntN(10)],
		}}}.WithDefaults().Pools[0]
		longest := 0
		for _, m := range plan.PoolMachines(pool, plan.PoolOptions{}, network.FlannelVXLAN, releases(), plan.Key{}) {
			longest = max(longest, len(m.Name))
		}
		errs := plan.ValidatePool(pool, nil)
		if (longest > 15) != (len(errs) > 0) {
			t.Fatalf("%s with %d machines has names of %d characters: %v", pool.Name, pool.Count, longest, errs)
		}
	}
}

func TestControlPlaneMachinesAreFirstAndHaveAddresses(t *testing.T) {
	t.Parallel()
	var got []string
	for _, m := range good("", func(c *plan.Cluster) { c.ControlPlane.Count = 3 }).Machines() {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %t %v", m.Name, m.Pool.Name, m.ControlPlane, m.Address)))
	}
	equal(t, "machines", []string{
		"control-plane-0 control-plane true 10.240.0.5", "control-plane-1 control-plane true 10.240.0.6",
		"control-plane-2 control-plane true 10.240.0.7",
		"linux-30g-0 linux false invalid IP", "linux-30g-1 linux false invalid IP",
		"win22-7fh-0 win22 false invalid IP", "win22-7fh-1 win22 false invalid IP",
	}, got)
}

func TestMachinesAreSpreadOverTheirZones(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		zones []string
		want  []string
	}{
		{nil, []string{"", "", "", "", ""}},
		{[]string{"2"}, []string{"2", "2", "2", "2", "2"}},
		{[]string{"3", "1"}, []string{"3", "1", "3", "1", "3"}},
		{[]string{"1", "2", "3"}, []string{"1", "2", "3", "1", "2"}},
	} {
		machines := good("", func(c *plan.Cluster) {
			c.ControlPlane.Count, c.ControlPlane.Zones = 5, tt.zones
			c.Pools[0].Count, c.Pools[0].Zones = 5, tt.zones
		}).Machines()
		var got []string
		for _, m := range machines {
			got = append(got, m.Zone)
		}
		equal(t, "zones", slices.Concat(tt.want, tt.want, []string{"", ""}), got)
	}
}

// The zone of a machine follows from its number, so that a pool that grows moves none.
func TestScalingUpDoesNotChangeExistingMachines(t *testing.T) {
	t.Parallel()
	machines := func(count int) []plan.Machine {
		pool := topology.Pool{
			Name: "linux", Platform: platform.Linux, Size: size, Zones: []string{"1", "2", "3"},
			KubernetesVersion: "1.36", Count: count,
		}
		machines := plan.PoolMachines(pool, plan.PoolOptions{}, network.FlannelVXLAN, releases(), plan.Key{})
		for i := range machines {
			machines[i].Pool.Count = 0
		}
		return machines
	}
	equal(t, "machines", machines(2), machines(7)[:2])
}

func TestImages(t *testing.T) {
	t.Parallel()
	own := plan.Image{ID: "/subscriptions/s/image"}
	c := good("", func(c *plan.Cluster) {
		c.Pools = nil
		for _, p := range topology.PoolPlatforms() {
			c.Pools = append(c.Pools, topology.Pool{Name: p.String(), Platform: p, Size: size})
		}
		c.Pools = append(c.Pools, topology.Pool{Name: "own", Platform: platform.Linux, Size: size})
		c.PoolOptions["own"] = plan.PoolOptions{Image: own}
	})
	image := func(sku string) plan.Image {
		return plan.Image{Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer", SKU: sku, Version: "latest"}
	}
	ubuntu := plan.Image{Publisher: "Canonical", Offer: "ubuntu-24_04-lts", SKU: "server", Version: "latest"}
	var got []plan.Image
	for _, m := range c.Machines() {
		got = append(got, m.Image)
	}
	equal(t, "images", []plan.Image{
		ubuntu, ubuntu, image("2019-datacenter-core-g2"), image("2022-datacenter-core-g2"),
		image("2025-datacenter-core-g2"), own,
	}, got)
	c.ControlPlane.Image = own
	equal(t, "image of the control plane", own, c.Machines()[0].Image)
}

// A count that is too large must not take all memory before it is refused.
func TestListedMachinesAreLimited(t *testing.T) {
	t.Parallel()
	c := plan.Cluster{
		Name: "shop", KubernetesVersion: "1.36", ControlPlane: plan.ControlPlane{Count: math.MaxInt},
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: math.MaxInt, Size: size},
			{Name: "more", Platform: platform.Linux, Count: math.MaxInt, Size: size},
		},
	}.WithDefaults()
	if n := len(c.Machines()); n != 5+2*topology.MaxCount {
		t.Errorf("%d machines are listed, want %d", n, 5+2*topology.MaxCount)
	}
	var findings []string
	for _, f := range c.Validate() {
		findings = append(findings, f.String())
	}
	all := strings.Join(findings, "\n")
	for _, want := range []string{
		"controlPlane.count: Invalid value: 9223372036854775807: must be 1, 3 or 5",
		"more machines than Kubernetes supports in a cluster: use at most 5000 (MK653)",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%.3000s", want, all)
		}
	}
}
