package plan

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Cluster describes a cluster. Its fields are the arguments of the component that have
// the same names.
type Cluster struct {
	// Name is the cluster's, and the beginning of the names of its resources in Azure.
	Name string
	// KubernetesVersion is that of the control plane.
	KubernetesVersion string
	ControlPlane      ControlPlane
	Pools             []topology.Pool
	// PoolOptions are by the names of the pools.
	PoolOptions map[string]PoolOptions
	Network     network.Network
	// PodsReachInstanceMetadata leaves the instance metadata service open to pods.
	PodsReachInstanceMetadata bool
	APIServer                 APIServer
	// NodePortSources are the ranges outside the cluster that reach NodePorts.
	NodePortSources []string
	// ServicePorts are those of the load balancer before the pools.
	ServicePorts []ServicePort
	// Keys are the keys of the cluster.
	Keys     Keys
	Releases bootstrap.Releases
}

// ServicePort is a TCP port of a load balancer at which a Service is reached from outside.
type ServicePort struct {
	// Port is where clients connect, from 1 to 65534. Required.
	Port int `json:"port" pulumi:"port"`
	// NodePort is that of the Service, from 30000 to 32767. Required. All nodes of the
	// pools are asked whether they answer there, and take the connections in turns.
	NodePort int `json:"nodePort" pulumi:"nodePort"`
	// Sources are the addresses and CIDRs of the clients. Empty means everybody.
	Sources []string `json:"sources" pulumi:"sources,optional"`
}

// ControlPlane is the machines of a control plane. They run Linux.
type ControlPlane struct {
	// Count is 1, 3 or 5; 1 by default. It can grow later.
	Count int `json:"count" pulumi:"count,optional"`
	// Size is the size of the machines, [DefaultControlPlaneSize] by default. A change restarts
	// them, one after the other.
	Size string `json:"size" pulumi:"size,optional"`
	// OSDiskSizeGB is the size of a machine's disk in GB; 0 is that of the image.
	OSDiskSizeGB int `json:"osDiskSizeGB" pulumi:"osDiskSizeGB,optional"`
	// Zones are the availability zones that the machines are spread over.
	Zones []string `json:"zones" pulumi:"zones,optional"`
	// Image is what they are made from, Ubuntu 24.04 by default. Machines that are there
	// keep theirs.
	Image Image `json:"image" pulumi:"image,optional"`
	// Security is how Azure guards the machines. Those that are there keep theirs.
	Security Security `json:"security" pulumi:"security,optional"`
}

// PoolOptions are what a pool is given beside its [topology.Pool].
type PoolOptions struct {
	// Kubelet has options of the pool's kubelets.
	Kubelet bootstrap.KubeletOptions `json:"kubelet" pulumi:"kubelet,optional"`
	// Image is what the machines are made from. The default is Ubuntu 24.04, or Windows
	// Server of the pool's release without a desktop. Another one, or another version of
	// it, makes other machines.
	Image Image `json:"image" pulumi:"image,optional"`
	// Security is how Azure guards the machines. Another one makes other machines.
	Security Security `json:"security" pulumi:"security,optional"`
	// Patching is who updates machines that are there. Another one makes other machines.
	Patching Patching `json:"patching" pulumi:"patching,optional"`
}

// APIServer says who reaches the API server, and how it is protected.
type APIServer struct {
	// AuthorizedIPRanges are the addresses and CIDRs that do, beside the nodes; empty
	// means all, or none if it is private.
	AuthorizedIPRanges []string `json:"authorizedIPRanges"`
	// Private gives it no public address: the program itself has to run where it reaches
	// the virtual network.
	Private bool `json:"private"`
	// Options are those of the API servers themselves. They take effect when the cluster is
	// made, and later as [bootstrap.APIServerOptions] says.
	Options bootstrap.APIServerOptions `json:"options"`
}

const (
	// ControlPlanePool is the name of the control plane among the pools.
	ControlPlanePool = "control-plane"

	// DefaultControlPlaneSize has the two CPUs and 2 GB that kubeadm asks for
	// (https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm/),
	// and memory for the API server of a larger cluster.
	DefaultControlPlaneSize = "Standard_D2s_v5"
)

// defaultNodeCIDR has 123 machines beside the control plane, and as many ranges of pods in
// the default range.
var defaultNodeCIDR = netip.MustParsePrefix("10.240.0.0/24")

// Defaulted is a cluster in which what was left out has its default: it is what
// [Cluster.WithDefaults] makes, and what a plan is made from.
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

// Topology is the cluster's as its nodes register, the control plane last.
func (c Defaulted) Topology() topology.Topology {
	t := topology.Topology{KubernetesVersion: c.KubernetesVersion, Lacks: c.lacks()}
	t.Pools = append(t.Pools, c.Pools...)
	t.Pools = append(t.Pools, c.controlPlanePool())
	t = t.WithDefaults().Topology
	for i, p := range t.Pools {
		t.Pools[i].Reserved = c.PoolOptions[p.Name].Kubelet.Reserved(p)
	}
	return t
}

// lacks are the features that kubeadm does not bring.
func (c Defaulted) lacks() []topology.Feature {
	lacks := []topology.Feature{topology.GMSAWebhook, topology.LoadBalancers, topology.ResourceMetrics}
	if !c.Network.Kind.MapsWindowsHostPorts() {
		lacks = append(lacks, topology.WindowsHostPorts)
	}
	if !c.Network.Kind.EnforcesWindowsPolicies() {
		lacks = append(lacks, topology.WindowsNetworkPolicies)
	}
	return lacks
}

// controlPlanePool is the control plane as a pool: kubeadm gives its nodes a taint.
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
