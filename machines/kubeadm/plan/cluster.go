package plan

import (
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Cluster describes a cluster. Its fields are the arguments of the component with the same names.
type Cluster struct {
	// Name is the name of the cluster, and the prefix of the names of its resources in Azure.
	Name string
	// KubernetesVersion is the version of the control plane.
	KubernetesVersion string
	ControlPlane      ControlPlane
	Pools             []topology.Pool
	// PoolOptions are the options of pools, by the name of the pool.
	PoolOptions map[string]PoolOptions
	Network     network.Network
	// PodsReachInstanceMetadata lets pods reach the instance metadata service.
	PodsReachInstanceMetadata bool
	APIServer                 APIServer
	// NodePortSources are the ranges outside the cluster that can reach NodePorts.
	NodePortSources []string
	// ServicePorts are the ports of the load balancer in front of the pools.
	ServicePorts []ServicePort
	// Keys are the keys of the cluster.
	Keys     Keys
	Releases bootstrap.Releases
	// Today is the day of the check. If it is zero, the end of support is not checked.
	Today time.Time
}

// ServicePort is a TCP port of a load balancer at which clients outside the cluster reach a
// Service.
type ServicePort struct {
	// Port is the port that clients connect to, from 1 to 65534. Required.
	Port int `json:"port" pulumi:"port"`
	// NodePort is the node port of the Service, from 30000 to 32767. Required. The load balancer
	// probes it on all nodes of the pools, and distributes the connections over those that answer.
	NodePort int `json:"nodePort" pulumi:"nodePort"`
	// Sources are the addresses and CIDRs of the clients. Empty means everyone.
	Sources []string `json:"sources" pulumi:"sources,optional"`
}

// ControlPlane describes the machines of a control plane. They run Linux.
type ControlPlane struct {
	// Count is 1, 3 or 5; 1 by default. It can grow later.
	Count int `json:"count" pulumi:"count,optional"`
	// Size is the size of the machines, [DefaultControlPlaneSize] by default. A change restarts
	// them, one after the other.
	Size string `json:"size" pulumi:"size,optional"`
	// OSDiskSizeGB is the size of a machine's disk in GB; 0 means the size of the image.
	OSDiskSizeGB int `json:"osDiskSizeGB" pulumi:"osDiskSizeGB,optional"`
	// Zones are the availability zones that the machines are spread over.
	Zones []string `json:"zones" pulumi:"zones,optional"`
	// Image is the image of the machines, Ubuntu 24.04 by default. Existing machines keep theirs.
	Image Image `json:"image" pulumi:"image,optional"`
	// Security configures how Azure protects the machines. Existing machines keep their settings.
	Security Security `json:"security" pulumi:"security,optional"`
}

// PoolOptions are options of a pool that its [topology.Pool] does not have.
type PoolOptions struct {
	// Kubelet has options of the pool's kubelets.
	Kubelet bootstrap.KubeletOptions `json:"kubelet" pulumi:"kubelet,optional"`
	// Image is the image of the machines. The default is Ubuntu 24.04, or Windows Server of the
	// pool's release without a desktop. Another image, or another version of it, replaces the
	// machines.
	Image Image `json:"image" pulumi:"image,optional"`
	// Security configures how Azure protects the machines. A change replaces the machines.
	Security Security `json:"security" pulumi:"security,optional"`
	// Patching configures who updates existing machines. A change replaces the machines.
	Patching Patching `json:"patching" pulumi:"patching,optional"`
}

// APIServer configures who can reach the API server, and how it is protected.
type APIServer struct {
	// AuthorizedIPRanges are the addresses and CIDRs that can reach it in addition to the nodes.
	// Empty means all, or none if the API server is private.
	AuthorizedIPRanges []string `json:"authorizedIPRanges"`
	// Private leaves the API server without a public address: the program itself must run where it
	// can reach the virtual network.
	Private bool `json:"private"`
	// Options are the options of the API servers themselves. They take effect when the cluster is
	// created; [bootstrap.APIServerOptions] documents which of them take effect later.
	Options bootstrap.APIServerOptions `json:"options"`
}

const (
	// ControlPlanePool is the name of the control plane among the pools.
	ControlPlanePool = "control-plane"

	// DefaultControlPlaneSize has the two CPUs and 2 GB that kubeadm requires
	// (https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm/), and
	// memory for the API server of a larger cluster.
	DefaultControlPlaneSize = "Standard_D2s_v5"
)

// defaultNodeCIDR has room for 123 machines besides the control plane. The default pod range has a
// range for each of them.
var defaultNodeCIDR = netip.MustParsePrefix("10.240.0.0/24")

// Defaulted is a cluster with its defaults, which [Cluster.WithDefaults] returns. The plan is derived
// from it.
type Defaulted struct {
	Cluster
	Network network.Defaulted
}

// WithDefaults returns the cluster with its defaults.
func (c Cluster) WithDefaults() Defaulted {
	c.Pools = topology.Topology{KubernetesVersion: c.KubernetesVersion, Pools: c.Pools}.WithDefaults().Pools
	if c.Network.NodeCIDR == (netip.Prefix{}) {
		c.Network.NodeCIDR = defaultNodeCIDR
	}
	if c.ControlPlane.Count == 0 {
		c.ControlPlane.Count = 1
	}
	if c.ControlPlane.Size == "" {
		c.ControlPlane.Size = DefaultControlPlaneSize
	}
	return Defaulted{c, inAzure(c.Network, c.PodsReachInstanceMetadata)}
}

// Topology returns the topology of the cluster as its nodes register, with the control plane as the
// last pool.
func (c Defaulted) Topology() topology.Topology {
	t := topology.Topology{KubernetesVersion: c.KubernetesVersion, MissingFeatures: c.missingFeatures()}
	t.Pools = append(t.Pools, c.Pools...)
	t.Pools = append(t.Pools, c.controlPlanePool().WithDefaults(c.KubernetesVersion).Pool)
	for i, p := range t.Pools {
		t.Pools[i].Reserved = c.PoolOptions[p.Name].Kubelet.Reserved(p)
	}
	return t
}

// missingFeatures returns the features that kubeadm does not provide.
func (c Defaulted) missingFeatures() []topology.Feature {
	missing := []topology.Feature{topology.GMSAWebhook, topology.LoadBalancers, topology.ResourceMetrics}
	if !c.Network.Kind.MapsWindowsHostPorts() {
		missing = append(missing, topology.WindowsHostPorts)
	}
	if !c.Network.Kind.EnforcesWindowsPolicies() {
		missing = append(missing, topology.WindowsNetworkPolicies)
	}
	return missing
}

// controlPlanePool returns the control plane as a pool: kubeadm gives its nodes a taint.
func (c Defaulted) controlPlanePool() topology.Pool {
	return topology.Pool{
		Name:         ControlPlanePool,
		Platform:     platform.Linux,
		Mode:         topology.System,
		Count:        max(c.ControlPlane.Count, 0), // what is wrong with it is reported as an argument
		Size:         c.ControlPlane.Size,
		OSDiskSizeGB: c.ControlPlane.OSDiskSizeGB,
		Zones:        c.ControlPlane.Zones,
		Taints: []corev1.Taint{{
			Key:    "node-role.kubernetes.io/control-plane",
			Effect: corev1.TaintEffectNoSchedule,
		}},
	}
}

var clusterNameMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK640", Severity: rule.Error, Title: "a cluster name that is not a valid prefix of machine names",
		Page: rulepages.Kubeadm,
		Reason: "The names of all resources in Azure begin with it. The name of a virtual machine has at most 64 " +
			"characters, and must be a valid host name.",
		Source:    namesPage,
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(names, func(name clusterName) []rule.Problem {
		if nameFormat.MatchString(string(name)) {
			return nil
		}
		return []rule.Problem{invalid(field.NewPath("clusterName"), string(name),
			"must be 1 to 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last",
			"the names of resources in Azure begin with it")}
	})},
}

// nameFormat leaves room for the rest of the machines' names.
var nameFormat = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$`)

var controlPlaneCount = engine.Rule{
	Rule: rule.Rule{
		ID: "MK641", Severity: rule.Error, Title: "a control plane whose number of machines is not 1, 3 or 5",
		Page: rulepages.Kubeadm,
		Reason: "The first machine creates the cluster. etcd needs more than half of its members: an even number " +
			"tolerates no more failures than one fewer, and more than five make each write slower.",
		Source:    "https://etcd.io/docs/v3.6/faq/",
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
		if count := c.ControlPlane.Count; count != 1 && count != 3 && count != 5 {
			return []rule.Problem{invalid(field.NewPath("controlPlane", "count"), count, "must be 1, 3 or 5",
				"etcd needs more than half of its members, so that an even number tolerates no more failures than one "+
					"fewer")}
		}
		return nil
	})},
}

var (
	poolCalledControlPlane = engine.Rule{
		Rule: rule.Rule{
			ID: "MK642", Severity: rule.Error, Title: "a pool with the name of the control plane",
			Page: rulepages.Kubeadm,
			Reason: "The control plane is a pool of the topology, and the names of machines begin with those of " +
				"their pools.",
			Source:    ownSource,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
			var found []rule.Problem
			for i, pool := range c.Pools {
				if pool.Name == ControlPlanePool {
					found = append(found, invalid(field.NewPath("pools").Index(i).Child("name"), pool.Name,
						"this is the name of the control plane", "use another name"))
				}
			}
			return found
		})},
	}
	optionsOfNoPool = engine.Rule{
		Rule: rule.Rule{
			ID: "MK648", Severity: rule.Error, Title: "options for a pool that does not exist", Page: rulepages.Kubeadm,
			Reason: "The component would ignore the options.",
			Source: ownSource,
		},
		Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
			var found []rule.Problem
			for _, name := range slices.Sorted(maps.Keys(c.PoolOptions)) {
				if _, exists := c.pool(name); !exists {
					found = append(found, invalid(field.NewPath("poolOptions").Key(name), name,
						fielderrors.Unknown("pool", name, c.poolNames()), ""))
				}
			}
			return found
		})},
	}
)

// pool returns the pool with a name.
func (c Defaulted) pool(name string) (topology.Pool, bool) {
	i := slices.Index(c.poolNames(), name)
	if i < 0 {
		return topology.Pool{}, false
	}
	return c.Pools[i], true
}

func (c Defaulted) poolNames() []string {
	names := make([]string, len(c.Pools))
	for i, pool := range c.Pools {
		names[i] = pool.Name
	}
	return names
}
