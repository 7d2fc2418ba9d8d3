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
	APIServer   APIServer
	// NodePortSources are the ranges outside the cluster that reach NodePorts.
	NodePortSources []string
	// ServicePorts are those of the load balancer before the pools.
	ServicePorts []ServicePort
	Releases     bootstrap.Releases
}

// ServicePort is a port of a load balancer that leads to a NodePort.
type ServicePort struct {
	Port, NodePort int
	// Sources are the ranges of the clients; empty means all.
	Sources []string
}

// ControlPlane is the machines of the control plane.
type ControlPlane struct {
	Count        int
	Size         string
	OSDiskSizeGB int
	Zones        []string
	Image        Image
}

// PoolOptions are what a pool has beside its [topology.Pool].
type PoolOptions struct {
	Kubelet bootstrap.KubeletOptions
	Image   Image
}

// APIServer says who reaches the API server.
type APIServer struct {
	AuthorizedIPRanges []string
	Private            bool
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

// WithDefaults returns a copy in which what was left out has its default. Applying it
// again changes nothing.
func (c Cluster) WithDefaults() Cluster {
	t := topology.Topology{KubernetesVersion: c.KubernetesVersion, Pools: c.Pools}.WithDefaults()
	c.Pools = t.Pools
	if c.Network.NodeCIDR == (netip.Prefix{}) {
		c.Network.NodeCIDR = defaultNodeCIDR
	}
	c.Network = c.Network.WithDefaults()
	if c.ControlPlane.Count == 0 {
		c.ControlPlane.Count = 1
	}
	if c.ControlPlane.Size == "" {
		c.ControlPlane.Size = DefaultControlPlaneSize
	}
	return c
}

// Topology is the cluster's as its nodes register, the control plane last.
func (c Cluster) Topology() topology.Topology {
	c = c.WithDefaults()
	t := topology.Topology{KubernetesVersion: c.KubernetesVersion, Lacks: c.lacks()}
	t.Pools = append(t.Pools, c.Pools...)
	t.Pools = append(t.Pools, c.controlPlanePool())
	return t.WithDefaults()
}

// lacks are the features that kubeadm does not bring.
func (c Cluster) lacks() []topology.Feature {
	lacks := []topology.Feature{topology.GMSAWebhook, topology.LoadBalancers, topology.ResourceMetrics}
	if !c.Network.Kind.MapsWindowsHostPorts() {
		lacks = append(lacks, topology.WindowsHostPorts)
	}
	return lacks
}

// controlPlanePool is the control plane as a pool: kubeadm gives its nodes a taint.
func (c Cluster) controlPlanePool() topology.Pool {
	return topology.Pool{
		Name:         ControlPlanePool,
		Platform:     platform.Linux,
		Mode:         topology.System,
		Count:        c.ControlPlane.Count,
		Size:         c.ControlPlane.Size,
		OSDiskSizeGB: c.ControlPlane.OSDiskSizeGB,
		Zones:        c.ControlPlane.Zones,
		Taints: []corev1.Taint{{
			Key:    "node-role.kubernetes.io/control-plane",
			Effect: corev1.TaintEffectNoSchedule,
		}},
	}
}
