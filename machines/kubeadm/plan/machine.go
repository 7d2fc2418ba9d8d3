package plan

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Machine is one machine of a cluster.
type Machine struct {
	// Name is the name of the host and of the node.
	Name string
	// Pool is the pool of the machine, with its defaults.
	Pool topology.Pool
	// ControlPlane reports whether the machine belongs to the control plane. Only then Address is
	// set; Azure chooses the addresses of the other machines.
	ControlPlane bool
	Address      netip.Addr
	// Zone is the availability zone of the machine, or empty.
	Zone string
	// Image is the image that the machine is created from.
	Image Image
	// PauseImage is the image of the pods' sandboxes.
	PauseImage string
	// Security configures how Azure protects the machine, with its defaults; Patching configures
	// who updates it.
	Security Security
	Patching Patching
}

// Machines returns the machines of the cluster: first the control plane, then the pools in their
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

// PoolMachines returns the machines of a pool that has its defaults, in a kind of network, and in a
// cluster with an authority.
//
// Settings that a machine gets when it is created and when it joins cannot be changed later. The
// name of the machine therefore contains a hash of them: a change of such a setting in a pool
// creates other machines, before the old ones are deleted.
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

// PoolOf returns the name of the pool of a machine that is not of the control plane, from its name.
func PoolOf(machine string) string {
	for range 2 { // the number, and the version
		machine = machine[:max(strings.LastIndexByte(machine, '-'), 0)]
	}
	return machine
}

// Limits of the number of machines that are listed. More machines are refused, but the other checks
// list the machines too, and must not take all memory then.
const (
	mostServers = 5
	mostWorkers = topology.MaxCount
)

// spread returns the zone of the i-th machine.
func spread(zones []string, i int) string {
	if len(zones) == 0 {
		return ""
	}
	return zones[i%len(zones)]
}

// versionLength is the length of the hash. Two versions of a pool have the same hash by chance once
// in 46656 times.
const versionLength = 3

// versionOf returns a hash of all settings that a machine gets when it is created and when it
// joins. Fields that are not set are left out, so that a new field in a later release of this
// library replaces no machine.
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

// longestWindowsName is the maximum length of a NetBIOS name.
const longestWindowsName = 15

// roomForName returns how long the name of a Windows pool may be.
func roomForName(p topology.Pool) int {
	return longestWindowsName - len("-") - versionLength - len("-") - len(strconv.Itoa(lastNumber(p)))
}

// lastNumber returns the number at the end of the name of the last machine. More machines are refused, whatever their
// names.
func lastNumber(p topology.Pool) int { return max(min(p.Count, mostWorkers)-1, 0) }
