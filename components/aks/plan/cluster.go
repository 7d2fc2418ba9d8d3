package plan

import (
	"time"

	"github.com/mixedkube/mixedkube/components/topology"
)

// Cluster is what is known about a cluster before it is made. The names of its
// fields are those of the arguments, and so are the paths of the findings.
type Cluster struct {
	// Name is the cluster's name in Azure; empty skips the rule about it.
	Name string
	// ResourceGroup and Location are where it is; empty if they are not known.
	ResourceGroup, Location string
	// Topology is as the program describes it, without what [Declared] adds. What
	// [topology.Topology.Validate] reports is not reported again.
	Topology topology.Topology
	// Network is the cluster's.
	Network Network
	// WindowsAdmin is the administrator of the Windows nodes.
	WindowsAdmin WindowsAdmin
	// APIServer is the access to the API server.
	APIServer APIServer
	// Login is how the provider signs in.
	Login Login
	// Options are the arguments of azure-native's ManagedCluster that are passed
	// through, as a plain tree, with the marks of package value.
	Options map[string]any
	// PoolOptions are those of a pool, by the name of the pool.
	PoolOptions map[string]PoolOptions
	// MayExist says that the cluster may be in Azure, and that nobody has looked yet. What is empty is
	// not known then, and has no default: it skips the rules about it.
	MayExist bool
	// Today is the day of the check. Zero skips what depends on it.
	Today time.Time
}

// Pool is what is known about a pool of a cluster that was made elsewhere.
type Pool struct {
	// KubernetesVersion is the cluster's; empty if it is not known.
	KubernetesVersion string
	// Pool is as the program describes it, without what [Declared] adds.
	Pool topology.Pool
	// Network is the cluster's, as far as it is known: what is empty skips the rules
	// about it.
	Network Network
	// Options are the pool's.
	Options PoolOptions
	// Today is that of [Cluster].
	Today time.Time
}

// PoolOptions are what a pool is given beside its [topology.Pool].
type PoolOptions struct {
	// NameInAzure is the name that the pool keeps there; empty for one of this library's.
	NameInAzure string
	// ImportID is the resource ID of the pool in Azure that the program imports, [Later] if it is
	// not known yet; empty for none.
	ImportID string
	// Resource says that the program gives the pool's resource an import or an alias, so that it
	// is a resource of its own.
	Resource bool
	// NodeSubnetID and PodSubnetID are the pool's own subnets, as those of [Network].
	NodeSubnetID, PodSubnetID string
	// Options are the arguments of azure-native's AgentPool that are passed through.
	Options map[string]any
}

// Network is a cluster's network. An empty mode skips the rules about it.
type Network struct {
	Mode         NetworkMode   `json:"mode"`
	Policy       NetworkPolicy `json:"policy"`
	OutboundType OutboundType  `json:"outboundType"`
	// NodeSubnetID and PodSubnetID are the subnets of the nodes and of the pods, [Later] if they
	// are not known yet. Empty means that there are none.
	NodeSubnetID string `json:"nodeSubnetID"`
	PodSubnetID  string `json:"podSubnetID"`
}

// Later stands for an ID that is not known yet.
const Later = "[known later]"

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

// Lacks are the features that a cluster with the engine lacks: Azure's own continues working on
// Windows nodes for now, without support (MK724).
func (p NetworkPolicy) Lacks() []topology.Feature {
	if p == CalicoPolicy || p == AzurePolicy {
		return nil
	}
	return []topology.Feature{topology.WindowsNetworkPolicies}
}

// OutboundType is the way of packets out of the cluster, in Azure's words. The
// default of a cluster is [LoadBalancer]; that of a [Pool] is not known.
type OutboundType string

// The ways that there are.
const (
	LoadBalancer      OutboundType = "loadBalancer"
	ManagedNATGateway OutboundType = "managedNATGateway"
	// ManagedNATGatewayV2 was a preview, in the API versions 2026-01-02-preview to
	// 2026-05-02-preview: since 2026-06-01 it is natGatewayProfile.sku of
	// managedNATGateway (Azure/AKS, blog of 2026-09-29).
	ManagedNATGatewayV2    OutboundType = "managedNATGatewayV2"
	UserAssignedNATGateway OutboundType = "userAssignedNATGateway"
	UserDefinedRouting     OutboundType = "userDefinedRouting"
	NoOutbound             OutboundType = "none"
	BlockedOutbound        OutboundType = "block"
)

// WindowsAdmin is the administrator of the Windows nodes.
type WindowsAdmin struct {
	Username string `json:"username"`
	// Password is a string, or [value.Unknown] where it is not known yet. nil means that there is
	// none. It is never shown, and has no place in a file.
	Password    any         `json:"-"`
	LicenseType LicenseType `json:"licenseType"`
	GMSA        GMSA        `json:"gmsa"`
}

// LicenseType is a licence for Windows in Azure's words
// (https://learn.microsoft.com/azure/aks/windows-faq). Empty is [NoLicense].
type LicenseType string

// The licences that there are.
const (
	NoLicense            LicenseType = "None"
	WindowsServerLicense LicenseType = "Windows_Server"
)

// GMSA is the support for group managed service accounts.
type GMSA struct {
	// Enabled prepares the Windows nodes for it.
	Enabled bool `json:"enabled" pulumi:"enabled,optional"`
	// DNSServer is the address of the domain's DNS server. Leave it and RootDomainName empty where
	// the virtual network's own DNS server serves the domain; else give both.
	DNSServer string `json:"dnsServer" pulumi:"dnsServer,optional"`
	// RootDomainName is the domain's name, contoso.com for example. It goes with DNSServer.
	RootDomainName string `json:"rootDomainName" pulumi:"rootDomainName,optional"`
}

// APIServer is the access to the API server.
type APIServer struct {
	AuthorizedIPRanges   []string
	Private              bool
	DisableLocalAccounts bool
}
