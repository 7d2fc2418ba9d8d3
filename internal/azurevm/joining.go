package azurevm

import (
	"fmt"
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Joining describes a pool that joins a cluster which was made elsewhere. Its fields are
// the arguments of the component that have the same names.
type Joining struct {
	Name              string
	KubernetesVersion string
	Pool              topology.Pool
	PoolOptions       PoolOptions
	Network           network.Network
	Endpoint          string
	CACertHashes      []string
	Releases          bootstrap.Releases
}

// WithDefaults returns a copy in which what was left out has its default.
func (j Joining) WithDefaults() Joining {
	t := topology.Topology{KubernetesVersion: j.KubernetesVersion, Pools: []topology.Pool{j.Pool}}.WithDefaults()
	j.Pool = t.Pools[0]
	j.Network = j.Network.WithDefaults()
	return j
}

// Machines are those of the pool.
func (j Joining) Machines() []Machine {
	return PoolMachines(j.WithDefaults().Pool, j.PoolOptions, j.Releases)
}

// Bootstrap is as much of the cluster as its new machines have to know. The machines of
// its control plane, which is Linux, are not among them.
func (j Joining) Bootstrap(addresses map[string]netip.Addr) bootstrap.Cluster {
	j = j.WithDefaults()
	b := bootstrap.Cluster{
		Topology: Cluster{KubernetesVersion: j.KubernetesVersion, Pools: []topology.Pool{j.Pool}}.Topology(),
		Network:  j.Network,
		Endpoint: j.Endpoint,
		Kubelet:  map[string]bootstrap.KubeletOptions{j.Pool.Name: j.PoolOptions.Kubelet},
		Releases: j.Releases,
	}
	for _, m := range j.Machines() {
		if address, known := addresses[m.Name]; known {
			b.Nodes = append(b.Nodes, bootstrap.Node{Name: m.Name, Pool: m.Pool.Name, Address: address})
		}
	}
	return b
}

// Validate returns everything that is wrong with the pool, with paths as in the arguments
// of the component.
func (j Joining) Validate() field.ErrorList {
	j = j.WithDefaults()
	errs := validateName(j.Name, field.NewPath("clusterName"))
	errs = append(errs, ValidatePool(j.Pool, field.NewPath("pool"))...)
	errs = append(errs, j.PoolOptions.Image.validate(field.NewPath("image"))...)
	errs = append(errs, bootstrap.ValidateCACertHashes(j.CACertHashes, field.NewPath("caCertHashes"))...)
	at := field.NewPath("network")
	if bad := append(j.Network.Validate(at), worksInAzure(j.Network, at)...); len(bad) > 0 {
		return append(errs, bad...)
	}
	if most := min(room(j.Network.NodeCIDR), topology.MaxCount); j.Pool.Nodes() > most {
		return append(errs, field.Invalid(field.NewPath("pool", "count"), j.Pool.Count, fmt.Sprintf(
			"%s has room for %d machines: use fewer", j.Network.NodeCIDR, most)))
	}
	// Azure chooses the addresses; these are as good as any.
	addresses := map[string]netip.Addr{}
	for i, m := range j.Machines() {
		addresses[m.Name] = nth(j.Network.NodeCIDR, reservedFirst+uint32(i))
	}
	return withoutFollowUps(append(errs, arguments(j.Bootstrap(addresses).Validate(nil), j.argument)...))
}

// argument is where the argument is that a field of the bootstrap comes from.
func (j Joining) argument(path string) string {
	if at := poolPath.FindString(path); at != "" {
		return "pool" + strings.TrimPrefix(path, at)
	}
	if nodePath.MatchString(path) {
		return "pool"
	}
	if at := kubeletPath.FindString(path); at != "" {
		return "kubelet" + strings.TrimPrefix(path, at)
	}
	return strings.TrimPrefix(path, "topology.")
}
