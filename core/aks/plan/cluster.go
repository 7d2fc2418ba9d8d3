package plan

import (
	"time"

	"github.com/mixedkube/mixedkube/core/topology"
)

// Cluster is what is known about a cluster before it is created. Its fields, and the paths of the findings, have the
// names of the arguments.
type Cluster struct {
	// Name is the cluster's name in Azure. If it is empty, the rule about it is skipped.
	Name string
	// ResourceGroup and Location are empty if they are not known.
	ResourceGroup, Location string
	// Topology is as the program describes it, without what [Declared] adds, and with versions as Azure writes them.
	// What [topology.Defaulted.Validate] reports is not reported again.
	Topology topology.Defaulted
	// Network is the cluster's network.
	Network Network
	// WindowsAdmin is the administrator of the Windows nodes.
	WindowsAdmin WindowsAdmin
	// Identity is the identity that the cluster acts as.
	Identity Identity
	// APIServer is the access to the API server.
	APIServer APIServer
	// Login is how the provider signs in.
	Login Login
	// Options are the arguments of azure-native's ManagedCluster that are passed through, as a plain tree with the
	// marks of package value.
	Options map[string]any
	// PoolOptions are the options of the pools, by the name of the pool.
	PoolOptions map[string]PoolOptions
	// Tags are the tags of the cluster, which pools without their own get too, in the form of Options.
	Tags map[string]any
	// AzureCLI means that the program runs the Azure CLI for what azure-native cannot change.
	AzureCLI bool
	// MayExist means that the cluster may exist in Azure, and was not looked up yet. Then an empty field is unknown and
	// has no default, and the rules about it are skipped.
	MayExist bool
	// Today is the day of the check. If it is zero, checks that depend on it are skipped.
	Today time.Time
}

// Pool is what is known about a pool of a cluster that another program or tool created.
type Pool struct {
	// KubernetesVersion is the version of the cluster, or empty if it is not known.
	KubernetesVersion string
	// Pool is as the program describes it, without what [Declared] adds, and with its version as Azure writes it.
	Pool topology.DefaultedPool
	// Network is the cluster's network. The rules about an empty field, which is unknown, are skipped.
	Network Network
	// Options are the pool's options.
	Options PoolOptions
	// Tags are the tags of the pool if its options have none, in the form of the options.
	Tags map[string]any
	// Today is the day of the check, as in [Cluster].
	Today time.Time
}

// PoolOptions are the arguments of a pool that are not in its [topology.Pool].
type PoolOptions struct {
	// NameInAzure is the name that the pool keeps in Azure. If it is empty, this library generates the name.
	NameInAzure string
	// ImportID is the resource ID of the pool in Azure that the program imports. It is [Later] if it is not known yet,
	// and empty if the program does not import a pool.
	ImportID string
	// Resource means that the program sets an import or an alias on the pool's resource, so the pool is a separate
	// resource.
	Resource bool
	// NodeSubnetID and PodSubnetID are the pool's own subnets. Their values have the same meaning as in [Network].
	NodeSubnetID, PodSubnetID string
	// Options are the arguments of azure-native's AgentPool that are passed through.
	Options map[string]any
	// Change is how properties change that Azure takes only when it creates a pool. Empty means [NewPool].
	Change Change
	// Previews are the previews of AKS that the subscription takes part in, and that changes in place need.
	Previews []Preview
}

// Change is the way in which a property of an existing pool changes that Azure takes only when it creates a pool.
type Change string

// The ways to change such a property.
const (
	// NewPool creates a new pool before it removes the old one. It is the default.
	NewPool Change = "NewPool"
	// InPlace lets AKS replace the nodes of the pool. It needs [PoolOptions.NameInAzure], and previews of AKS.
	InPlace Change = "InPlace"
)

// Preview is a preview of AKS that a subscription takes part in.
type Preview string

const (
	// VMSSResize changes the size of the machines of a pool in place. It is the name of a feature of
	// Microsoft.ContainerService, which is registered with `az feature register`.
	VMSSResize Preview = "AgentPoolVMSSResize"
	// WindowsOSUpgrade changes Windows Server 2022 to 2025 in place. No source names its feature: find out from
	// Azure whether your subscription has it (https://github.com/Azure/AKS/issues/5904).
	WindowsOSUpgrade Preview = "WindowsOSUpgrade"
)

// Network is a cluster's network. If the mode is empty, the rules about it are skipped.
type Network struct {
	Mode         NetworkMode   `json:"mode"`
	Policy       NetworkPolicy `json:"policy"`
	OutboundType OutboundType  `json:"outboundType"`
	// NodeSubnetID and PodSubnetID are the subnets of the nodes and of the pods. They are [Later] if they are not known
	// yet, and empty if there is no subnet.
	NodeSubnetID string `json:"nodeSubnetID"`
	PodSubnetID  string `json:"podSubnetID"`
}

// Later stands for an ID that is not known yet.
const Later = "[known later]"

// NetworkMode determines where pods get their addresses from.
type NetworkMode string

// The modes that support Windows nodes.
const (
	Overlay    NetworkMode = "overlay"
	PodSubnet  NetworkMode = "pod-subnet"
	NodeSubnet NetworkMode = "node-subnet"
)

// NetworkPolicy is the engine that enforces network policies, as Azure names it.
type NetworkPolicy string

// The engines of network policies.
const (
	NoPolicy     NetworkPolicy = "none"
	CalicoPolicy NetworkPolicy = "calico"
	AzurePolicy  NetworkPolicy = "azure"
	CiliumPolicy NetworkPolicy = "cilium"
)

// Provisions reports whether AKS may create nodes that are in no pool: its node auto-provisioning is on
// (https://learn.microsoft.com/azure/aks/node-auto-provisioning). The options are those of the cluster, or its
// properties in Azure.
func Provisions(options map[string]any) bool {
	return open(option(options, "nodeProvisioningProfile.mode")) == "Auto"
}

// MissingFeatures returns the features that a cluster lacks. AKS installs the webhook of gMSA only if gMSA is enabled.
// Azure's own engine of network policies continues to work on Windows nodes for now, without support (MK724).
func MissingFeatures(gmsaEnabled bool, policy NetworkPolicy) []topology.Feature {
	var missing []topology.Feature
	if !gmsaEnabled {
		missing = append(missing, topology.GMSAWebhook)
	}
	if policy != CalicoPolicy && policy != AzurePolicy {
		missing = append(missing, topology.WindowsNetworkPolicies)
	}
	return missing
}

// OutboundType is the route of packets out of the cluster, as Azure names it. The default of a cluster is
// [LoadBalancer]. The default for a [Pool] is not known.
type OutboundType string

// The outbound types.
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
	// Password is a string, [value.Unknown] if it is not known yet, or nil if there is no password. It is never shown
	// or written to a file.
	Password    any         `json:"-"`
	LicenseType LicenseType `json:"licenseType"`
	GMSA        GMSA        `json:"gmsa"`
}

// LicenseType is a license for Windows, as Azure names it (https://learn.microsoft.com/azure/aks/windows-faq). Empty
// means [NoLicense].
type LicenseType string

// The licenses for Windows.
const (
	NoLicense            LicenseType = "None"
	WindowsServerLicense LicenseType = "Windows_Server"
)

// GMSA is the support for group managed service accounts.
type GMSA struct {
	// Enabled prepares the Windows nodes for it.
	Enabled bool `json:"enabled" pulumi:"enabled,optional"`
	// DNSServer is the address of the domain's DNS server. Leave it and RootDomainName empty if the virtual network's
	// own DNS server serves the domain. Otherwise, set both.
	DNSServer string `json:"dnsServer" pulumi:"dnsServer,optional"`
	// RootDomainName is the domain's name, contoso.com for example. Set it together with DNSServer.
	RootDomainName string `json:"rootDomainName" pulumi:"rootDomainName,optional"`
}

// Identity is the identity that a cluster acts as.
type Identity struct {
	// UserAssignedID is the ID of a managed identity. It is [Later] if it is not known yet, and empty if Azure creates
	// the identity.
	UserAssignedID string
}

// APIServer is the access to the API server.
type APIServer struct {
	AuthorizedIPRanges []string
	Private            bool
	// PrivateDNSZone is the ID of a zone, a word of Azure, [Later], or empty.
	PrivateDNSZone       string
	DisableLocalAccounts bool
}
