package plan

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
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
	// Today is the day of the check. If it is zero, the end of support is not checked.
	Today time.Time
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

// tooManyJoining finds more machines than the range of the nodes has room for.
func tooManyJoining(j DefaultedJoining) []rule.Problem {
	if !rangesKnown(j.Network) || j.hasRoom() {
		return nil
	}
	return []rule.Problem{invalid(field.NewPath("pool", "count"), j.Pool.Count,
		fmt.Sprintf("%s has room for %d machines", j.Network.NodeCIDR, j.room()), "use fewer")}
}

// room returns how many machines the range of the nodes has room for, and hasRoom reports whether the pool has no more.
func (j DefaultedJoining) room() int { return min(room(j.Network.NodeCIDR), topology.MaxCount) }

func (j DefaultedJoining) hasRoom() bool { return j.Pool.Count <= j.room() }

// bootstrapErrors returns what is wrong with how the machines join, if there is room for them.
func (j DefaultedJoining) bootstrapErrors() field.ErrorList {
	if !rangesKnown(j.Network) || !j.hasRoom() {
		return nil
	}
	// Azure chooses the addresses; any others in the range do for the check.
	addresses := map[string]netip.Addr{}
	for i, m := range j.Machines() {
		addresses[m.Name] = nth(j.Network.NodeCIDR, reservedFirst+uint32(i))
	}
	errs := arguments(j.Bootstrap(addresses).Validate(nil), j.argument)
	return withoutFollowUps(errs, map[string]bool{"pool": nameTooLong(j.Pool)})
}

var placeMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK660", Severity: rule.Error, Title: "a joining pool without its index in the cluster",
		Page:   rulepages.Kubeadm,
		Reason: "The cluster exists already: the arguments state where its machines are, and let the new ones join.",
		Source: "https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/, " +
			azurePages + "virtual-network/virtual-networks-udr-overview",
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(joinings, missingPlace)},
}

// missingPlace finds what says where the pool is in the cluster, and lets its machines join.
func missingPlace(j DefaultedJoining) []rule.Problem {
	var found []rule.Problem
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
			found = append(found, required(field.NewPath(needed.path), needed.detail))
		}
	}
	if kind := j.Network.Kind; kind.Planned() && !j.RouteTable {
		found = append(found, required(field.NewPath("routeTableName"),
			fmt.Sprintf("a network of the kind %s has a route to each machine", kind)))
	}
	return found
}

// authorityErrors returns what is wrong with how the machines identify the cluster's certificate authority.
func (j DefaultedJoining) authorityErrors() field.ErrorList {
	var errs field.ErrorList
	if !j.CACertHashesUnknown && (j.CACertificate == nil || len(j.CACertHashes) > 0) {
		errs = bootstrap.ValidateCACertHashes(j.CACertHashes, field.NewPath("caCertHashes"))
	}
	if certificate, known := j.CACertificate.(string); known {
		errs = append(errs, bootstrap.ValidateCACertificate(certificate, field.NewPath("caCertificate"))...)
	}
	return errs
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
