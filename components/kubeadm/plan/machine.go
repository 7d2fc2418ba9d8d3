package plan

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
	"github.com/mixedkube/mixedkube/internal/vm"
)

// Machine is one machine of a cluster.
type Machine struct {
	// Name is the host name, and that of the node.
	Name string
	// Pool is its pool, with defaults.
	Pool topology.Pool
	// ControlPlane reports whether it is of the control plane. Then Address is its own; the
	// others have one that Azure chooses.
	ControlPlane bool
	Address      netip.Addr
	// Zone is its availability zone, empty for none.
	Zone string
	// Image is what it is made from.
	Image Image
	// PauseImage is that of the pods' sandboxes.
	PauseImage string
	// Security is how Azure guards it, with defaults, and Patching who updates it.
	Security Security
	Patching Patching
}

// Machines are those of the cluster, the control plane first, then the pools in their
// order.
func (c Defaulted) Machines() []Machine {
	var machines []Machine
	controlPlane := c.controlPlanePool()
	for i := range min(c.ControlPlane.Count, mostServers) {
		machines = append(machines, Machine{
			Name:         fmt.Sprintf("%s-%d", ControlPlanePool, i),
			Pool:         controlPlane,
			ControlPlane: true,
			Address:      c.controlPlaneAddress(i),
			Zone:         spread(controlPlane.Zones, i),
			Image:        c.ControlPlane.Image.or(controlPlane.Platform),
			PauseImage:   c.Releases.PauseImageOf(controlPlane),
			Security:     c.ControlPlane.Security.of(controlPlane, c.ControlPlane.Image, c.Network.Kind),
		})
	}
	for _, pool := range c.Pools {
		machines = append(machines,
			PoolMachines(pool, c.PoolOptions[pool.Name], c.Network.Kind, c.Releases, c.Keys.Cluster)...)
	}
	return machines
}

// PoolMachines are those of one pool that has its defaults, in a kind of network, of a cluster
// with an authority.
//
// What a machine has from its creation and its join cannot be changed later. So it is in
// its name, as a hash: a pool that changes in one of these has other machines, which are
// there before the old ones go.
func PoolMachines(
	pool topology.Pool, o PoolOptions, kind network.Kind, releases bootstrap.Releases, ca Key,
) []Machine {
	version, image, pause := versionOf(pool, o, releases, ca), o.Image.or(pool.Platform), releases.PauseImageOf(pool)
	security := o.Security.of(pool, o.Image, kind)
	var machines []Machine
	for i := range min(pool.Count, mostWorkers) {
		machines = append(machines, Machine{
			Name:       fmt.Sprintf("%s-%s-%d", pool.Name, version, i),
			Pool:       pool,
			Zone:       spread(pool.Zones, i),
			Image:      image,
			PauseImage: pause,
			Security:   security,
			Patching:   o.Patching,
		})
	}
	return machines
}

// The most machines that are listed. More are refused, but the machines are listed for the other
// checks as well, and must not take all memory then.
const (
	mostServers = 5
	mostWorkers = topology.MaxCount
)

// spread is the zone of the i-th machine.
func spread(zones []string, i int) string {
	if len(zones) == 0 {
		return ""
	}
	return zones[i%len(zones)]
}

// versionLength makes two versions of a pool the same by chance once in 46656 times.
const versionLength = 3

// versionOf tells versions of a pool apart, by all that a machine has from its creation
// or its join. What is not set is left out, so that a field that this library learns later
// replaces no machine.
func versionOf(p topology.Pool, o PoolOptions, releases bootstrap.Releases, ca Key) string {
	var parts []string
	add := func(name string, set bool, value any) {
		if set {
			parts = append(parts, fmt.Sprintf("%s=%v", name, value))
		}
	}
	kubernetes := p.KubernetesVersion
	if version, ok := kubeversion.Parse(p.KubernetesVersion); ok {
		kubernetes = version.String()
	}
	for _, release := range releases.Kubernetes {
		if version, ok := kubeversion.Parse(release.Version); ok && version.String() == kubernetes {
			kubernetes = release.Version
		}
	}
	add("platform", true, p.Platform)
	add("size", true, p.Size)
	add("kubernetes", true, kubernetes)
	add("containerd", true, releases.Containerd.Version)
	add("cniPlugins", true, releases.CNIPlugins.Version)
	add("runc", !p.Platform.IsWindows(), releases.Runc.Version)
	add("flannel", p.Platform.IsWindows(), releases.Flannel.Version)
	add("flannelPlugin", p.Platform.IsWindows(), releases.FlannelPlugin.Version)
	add("osDiskSizeGB", p.OSDiskSizeGB != 0, p.OSDiskSizeGB)
	add("osDiskType", p.OSDiskType != "", p.OSDiskType)
	add("zones", len(p.Zones) > 0, strings.Join(slices.Sorted(slices.Values(p.Zones)), ","))
	add("spot", p.Spot, p.SpotMaxPrice)
	add("maxPods", p.MaxPods != 0, p.MaxPods)
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		add("label "+key, true, p.Labels[key])
	}
	for _, taint := range p.Taints {
		add("taint", true, topology.FormatTaint(taint))
	}
	add("pauseImage", releases.PauseImage != "", releases.PauseImage)
	add("authorities", !slices.Equal(ca.joined(), Key{}.joined()), ca.joined())
	add("image", o.Image != Image{}, o.Image)
	add("security", o.Security != Security{}, o.Security)
	add("patching", o.Patching != Patching{}, o.Patching)
	for name, resources := range map[string]map[string]string{
		"systemReserved": o.Kubelet.SystemReserved, "kubeReserved": o.Kubelet.KubeReserved,
		"evictionHard": o.Kubelet.EvictionHard,
		"evictionSoft": o.Kubelet.EvictionSoft, "evictionSoftGracePeriod": o.Kubelet.EvictionSoftGracePeriod,
	} {
		for key, value := range resources {
			add(name+" "+key, true, value)
		}
	}
	add("priorityClass", o.Kubelet.PriorityClass != "", o.Kubelet.PriorityClass)
	add("serverTLSBootstrap", o.Kubelet.ServerTLSBootstrap, true)
	add("tlsMinVersion", o.Kubelet.TLSMinVersion != "", o.Kubelet.TLSMinVersion)
	add("disableSeccompDefault", o.Kubelet.DisableSeccompDefault, true)
	add("protectKernelDefaults", o.Kubelet.ProtectKernelDefaults, true)
	slices.Sort(parts)
	return vm.Suffix(strings.Join(parts, "\n"), versionLength)
}

// longestWindowsName is that of a NetBIOS name.
const longestWindowsName = 15

// roomForName is how long the name of a Windows pool may be.
func roomForName(p topology.Pool) int {
	return longestWindowsName - len("-") - versionLength - len("-") - len(strconv.Itoa(max(p.Count-1, 0)))
}
