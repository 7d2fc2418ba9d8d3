package azure

import (
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Cluster is what is known about a cluster before it is made. The names of its
// fields are those of the arguments, and so are the paths of the findings.
type Cluster struct {
	// Topology has its defaults. What [topology.Topology.Validate] reports is not
	// reported again.
	Topology topology.Topology
	// Network is the cluster's.
	Network Network
	// WindowsAdmin is the administrator of the Windows nodes.
	WindowsAdmin WindowsAdmin
	// APIServer is the access to the API server.
	APIServer APIServer
	// Options are the arguments of azure-native's ManagedCluster that are passed
	// through, as a plain tree: unknown values and secrets are marked as package
	// tree does.
	Options map[string]any
	// PoolOptions are those of a pool, by the name of the pool.
	PoolOptions map[string]PoolOptions
}

// Pool is what is known about a pool of a cluster that was made elsewhere.
type Pool struct {
	// KubernetesVersion is the cluster's; empty if it is not known.
	KubernetesVersion string
	// Pool has its defaults.
	Pool topology.Pool
	// Network is the cluster's, as far as it is known: an empty mode skips the
	// rules about it.
	Network Network
	// Options are the pool's.
	Options PoolOptions
}

// PoolOptions are what a pool is given beside its [topology.Pool].
type PoolOptions struct {
	// NodeSubnet and PodSubnet say whether the pool is given subnets of its own.
	NodeSubnet, PodSubnet bool
	// Options are the arguments of azure-native's AgentPool that are passed through.
	Options map[string]any
}

// Network is a cluster's network.
type Network struct {
	Mode         NetworkMode
	Policy       NetworkPolicy
	OutboundType OutboundType
	// NodeSubnet and PodSubnet say whether subnets are given.
	NodeSubnet, PodSubnet bool
}

// NetworkMode says where pods get their addresses from.
type NetworkMode string

// The modes that Windows nodes can be in.
const (
	Overlay    NetworkMode = "overlay"
	PodSubnet  NetworkMode = "pod-subnet"
	NodeSubnet NetworkMode = "node-subnet"
)

// NetworkPolicy is the engine that enforces network policies, in Azure's words.
type NetworkPolicy string

// The engines that there are.
const (
	NoPolicy     NetworkPolicy = "none"
	CalicoPolicy NetworkPolicy = "calico"
	AzurePolicy  NetworkPolicy = "azure"
	CiliumPolicy NetworkPolicy = "cilium"
)

// OutboundType is the way of packets out of the cluster, in Azure's words.
type OutboundType string

// The ways that there are.
const (
	LoadBalancer           OutboundType = "loadBalancer"
	ManagedNATGateway      OutboundType = "managedNATGateway"
	UserAssignedNATGateway OutboundType = "userAssignedNATGateway"
	UserDefinedRouting     OutboundType = "userDefinedRouting"
	NoOutbound             OutboundType = "none"
	BlockedOutbound        OutboundType = "block"
)

// WindowsAdmin is the administrator of the Windows nodes.
type WindowsAdmin struct {
	Username string
	// Password is a string, or a mark of package tree: [tree.Unknown] where it is
	// not known yet. nil means that there is none. It is never shown.
	Password    any
	LicenseType string
	GMSA        GMSA
}

// GMSA is the support for group managed service accounts.
type GMSA struct {
	Enabled                   bool
	DNSServer, RootDomainName string
}

// APIServer is the access to the API server.
type APIServer struct {
	AuthorizedIPRanges   []string
	Private              bool
	DisableLocalAccounts bool
}

// CheckCluster returns what is wrong with a cluster, sorted by path.
func CheckCluster(c Cluster) []preflight.Finding { return nil }

// CheckPool returns what is wrong with a pool, sorted by path, with paths as in the
// arguments of a pool: "pool.name", "options.osSKU".
func CheckPool(p Pool) []preflight.Finding { return nil }

// Rules returns all rules, in the order of their IDs.
func Rules() []preflight.Rule { return nil }
