package plan

import (
	"fmt"
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Joining describes a pool that joins an existing cluster. Its fields are the arguments of the
// component with the same names.
type Joining struct {
	Name              string
	KubernetesVersion string
	Pool              topology.Pool
	PoolOptions       PoolOptions
	Network           network.Network
	// PodsReachInstanceMetadata lets pods reach the instance metadata service.
	PodsReachInstanceMetadata bool
	Endpoint                  string
	CACertHashes              []string
	// CACertHashesUnknown is true if hashes are configured and not all of them are known.
	CACertHashesUnknown bool
	// CACertificate is a string, [value.Unknown], or nil if it is not set.
	CACertificate any
	Releases      bootstrap.Releases
	// ResourceGroup, Subnet, RouteTable and Token report whether they are set.
	ResourceGroup, Subnet, RouteTable, Token bool
}

// DefaultedJoining is a pool with its defaults, which [Joining.WithDefaults] returns.
type DefaultedJoining struct {
	Joining
	Network network.Defaulted
}

// WithDefaults returns the pool with its defaults.
func (j Joining) WithDefaults() DefaultedJoining {
	j.Pool = j.Pool.WithDefaults(j.KubernetesVersion).Pool
	j.Pool.Reserved = j.PoolOptions.Kubelet.Reserved(j.Pool)
	return DefaultedJoining{j, inAzure(j.Network, j.PodsReachInstanceMetadata)}
}

// Machines returns the machines of the pool.
func (j DefaultedJoining) Machines() []Machine {
	return PoolMachines(j.Pool, j.PoolOptions, j.Network.Kind, j.Releases, Key{})
}

// Bootstrap returns the part of the cluster that its new machines must know. It does not contain
// the machines of the control plane, which runs Linux.
func (j DefaultedJoining) Bootstrap(addresses map[string]netip.Addr) bootstrap.Cluster {
	c := Cluster{KubernetesVersion: j.KubernetesVersion, Pools: []topology.Pool{j.Pool}}
	b := bootstrap.Cluster{
		Topology: c.WithDefaults().Topology(),
		Network:  j.Network.Network,
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

// Validate returns everything that is wrong with the pool, sorted by path, with paths as in
// the arguments of the component.
func (j DefaultedJoining) Validate() []rule.Finding {
	run := &check{}
	run.clusterName(j.Name)
	run.place(j)
	run.pool(j.Pool, field.NewPath("pool"))
	run.options(j.PoolOptions, j.Pool, j.Network.Kind, nil)
	run.authority(j)
	if !run.podNetwork(j.Network, field.NewPath("network")) {
		return run.result()
	}
	if most := min(room(j.Network.NodeCIDR), topology.MaxCount); j.Pool.Count > most {
		run.Report(tooManyMachines, invalid(field.NewPath("pool", "count"), j.Pool.Count,
			fmt.Sprintf("%s has room for %d machines", j.Network.NodeCIDR, most), "use fewer"))
		return run.result()
	}
	// Azure chooses the addresses; any others in the range do for the check.
	addresses := map[string]netip.Addr{}
	for i, m := range j.Machines() {
		addresses[m.Name] = nth(j.Network.NodeCIDR, reservedFirst+uint32(i))
	}
	run.bootstrap(arguments(j.Bootstrap(addresses).Validate(nil), j.argument))
	run.withoutFollowUps()
	return run.result()
}

var placeMissing = rule.Rule{
	ID: "MK660", Severity: rule.Error, Title: "a joining pool without its index in the cluster",
	Reason: "The cluster exists already: the arguments state where its machines are, and let the new ones join.",
	Source: "https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/, " +
		azurePages + "virtual-network/virtual-networks-udr-overview",
	Mandatory: true,
}

// place checks where the pool is in the cluster, and that its machines can join.
func (c *check) place(j DefaultedJoining) {
	for _, needed := range []struct {
		path   string
		set    bool
		detail string
	}{
		{"resourceGroupName", j.ResourceGroup, "name the resource group that the machines are created in"},
		{"subnetID", j.Subnet, "set the subnet of the machines"},
		{"token", j.Token, "create one with `kubeadm token create`, and give it as a secret"},
	} {
		if !needed.set {
			c.Report(placeMissing, required(field.NewPath(needed.path), needed.detail))
		}
	}
	if kind := j.Network.Kind; kind.Planned() && !j.RouteTable {
		c.Report(placeMissing, required(field.NewPath("routeTableName"),
			fmt.Sprintf("a network of the kind %s has a route to each machine", kind)))
	}
}

// authority checks how the machines identify the cluster's certificate authority.
func (c *check) authority(j DefaultedJoining) {
	if !j.CACertHashesUnknown && (j.CACertificate == nil || len(j.CACertHashes) > 0) {
		c.bootstrap(bootstrap.ValidateCACertHashes(j.CACertHashes, field.NewPath("caCertHashes")))
	}
	if certificate, known := j.CACertificate.(string); known {
		c.bootstrap(bootstrap.ValidateCACertificate(certificate, field.NewPath("caCertificate")))
	}
}

// argument returns the path of the argument that a field of the bootstrap comes from.
func (j DefaultedJoining) argument(path string) string {
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
