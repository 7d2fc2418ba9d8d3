package plan

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
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
	t.Pools = append(t.Pools, c.controlPlanePool())
	t = t.WithDefaults().Topology
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
