package aks

import (
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/topology"
)

// ClusterArgs are the arguments of [NewCluster].
type ClusterArgs struct {
	// ResourceGroupName is the group that the cluster is made in. The default is a
	// group of its own.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName,optional"`

	// ClusterName is the cluster's name in Azure: 1 to 63 letters, digits, hyphens
	// and underscores, a letter or digit at both ends. Azure refuses names that contain
	// "windows" or "microsoft", and other reserved words. The default is the name of the
	// component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Location is the Azure region, "westeurope" for example. The default is that
	// of the resource group, and of that the provider's.
	Location pulumi.StringInput `pulumi:"location,optional"`

	// KubernetesVersion is the version of the control plane and, where a pool does
	// not say another, of its nodes: "1.35" or "1.35.2". It has no default: Azure's
	// changes with time.
	KubernetesVersion string `pulumi:"kubernetesVersion"`

	// Pools are the node pools. The first of mode System is the one that Azure makes
	// the cluster with.
	Pools []topology.Pool `pulumi:"pools"`

	// PoolOptions are for what a [topology.Pool] does not have, by the name of the
	// pool.
	PoolOptions map[string]PoolOptions `pulumi:"poolOptions,optional"`

	// Network is the cluster's network. The default is the Azure CNI overlay.
	Network Network `pulumi:"network,optional"`

	// WindowsAdmin is the administrator of the Windows nodes. Azure wants one when
	// the cluster is made, even if the first Windows pool comes later.
	WindowsAdmin WindowsAdmin `pulumi:"windowsAdmin"`

	// Identity is the one that the cluster acts as. The default is an identity of
	// its own.
	Identity Identity `pulumi:"identity,optional"`

	// APIServer says who reaches the API server, and how. By default it is public.
	APIServer APIServer `pulumi:"apiServer,optional"`

	// Login says how the provider and the kubeconfig sign in. By default they do with az where the
	// cluster has Microsoft Entra ID, and else with a client certificate.
	Login Login `pulumi:"login,optional"`

	// Tags are put on the cluster, its pools, and the resource group if it is made. The default is
	// none, and for a cluster that is there those that it has.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// AzureCLI lets the program run az on this machine, with the plugin of
	// pulumi-command, for what azure-native cannot change in place: see the package's
	// documentation. az must be installed and logged in. The commands are for sh, or for
	// cmd where Pulumi runs on Windows: an update on the other kind of machine runs them
	// again.
	AzureCLI bool `pulumi:"azureCLI,optional"`

	// Unprotected lets Pulumi delete and replace the cluster. By default it refuses.
	Unprotected bool `pulumi:"unprotected,optional"`

	// Retry says how long to retry what Azure refuses while it is busy with another operation
	// of the cluster: see the package's documentation.
	Retry Retry `pulumi:"retry,optional"`

	// Options are for what these arguments do not have, and are passed on as they are.
	// An option that one of the arguments above decides on is an error, also where both
	// say the same.
	Options *containerservice.ManagedClusterArgs `pulumi:"options,optional"`

	// Ignore are the IDs of rules whose findings shall not stop the program, "MK712"
	// for example. They are shown all the same, as info. A few rules cannot be ignored,
	// as the component relies on them.
	Ignore []string `pulumi:"ignore,optional"`
}

// PoolOptions are what a pool is given beside its [topology.Pool].
type PoolOptions struct {
	// NodeSubnetID is the subnet of the nodes. The default is the network's.
	NodeSubnetID pulumi.StringInput `pulumi:"nodeSubnetID,optional"`

	// PodSubnetID is the subnet of the pods. The default is the network's.
	PodSubnetID pulumi.StringInput `pulumi:"podSubnetID,optional"`

	// NameInAzure is the name of a pool that keeps it, as one that was made without this library.
	// What the program leaves out of such a pool stays as it is in Azure; for [NewNodePool], which
	// looks nothing up, that is so of Options only. The default is a name of this library's, with a
	// suffix: then a change of what Azure never changes makes another pool. Of a pool with
	// NameInAzure such a change is an error (MK777).
	NameInAzure string `pulumi:"nameInAzure,optional"`

	// ImportID is the resource ID of a pool in Azure, which NameInAzure names, for a program that
	// takes it over: the next update imports it ([pulumi.Import]). Remove it after that. A pool that
	// the cluster has inline is not a resource, and does not need one. For a pool that this stack has under
	// another name, give the component an alias of its type. The default is none.
	ImportID pulumi.StringInput `pulumi:"importID,optional"`

	// Options are for what neither these nor a [topology.Pool] have, the
	// distribution of Linux (OsSKU) for example.
	Options *containerservice.AgentPoolArgs `pulumi:"options,optional"`
}

// Network is a cluster's network. Azure can change none of it later, except some
// outbound types. The defaults are for a new cluster: mode, policy and outbound type of one that is
// there stay as they are where the program does not say them.
type Network struct {
	// Mode is where pods get their addresses from; [Overlay] by default.
	Mode NetworkMode `pulumi:"mode,optional"`

	// Policy is the engine that enforces network policies; [NoPolicy] by default.
	Policy NetworkPolicy `pulumi:"policy,optional"`

	// OutboundType is the way of packets out of the cluster; [LoadBalancer] by
	// default.
	OutboundType OutboundType `pulumi:"outboundType,optional"`

	// NodeSubnetID is the subnet of the nodes. By default Azure makes a network. In a cluster that was
	// taken over, new pools go into the subnets of the first pool in Azure that has some.
	NodeSubnetID pulumi.StringInput `pulumi:"nodeSubnetID,optional"`

	// PodSubnetID is the subnet of the pods, for [PodSubnet]. In a cluster that was taken over, the
	// default is as that of NodeSubnetID.
	PodSubnetID pulumi.StringInput `pulumi:"podSubnetID,optional"`
}

// The words of a network are declared in package plan, which checks them.
type (
	// NetworkMode says where pods get their addresses from
	// (https://learn.microsoft.com/azure/aks/concepts-network-cni-overview).
	NetworkMode = plan.NetworkMode
	// NetworkPolicy is the engine that enforces network policies, in Azure's words
	// (https://learn.microsoft.com/azure/aks/use-network-policies).
	NetworkPolicy = plan.NetworkPolicy
	// OutboundType is the way of packets out of the cluster, in Azure's words
	// (https://learn.microsoft.com/azure/aks/egress-outboundtype).
	OutboundType = plan.OutboundType
)

// The modes in which there can be Windows nodes.
const (
	// Overlay gives pods addresses of a range of their own. It is the default.
	Overlay = plan.Overlay
	// PodSubnet gives pods addresses of a subnet beside that of the nodes.
	PodSubnet = plan.PodSubnet
	// NodeSubnet gives pods addresses of the nodes' subnet.
	NodeSubnet = plan.NodeSubnet
)

// The engines that work with Windows nodes.
const (
	// NoPolicy enforces nothing. It is the default of a new cluster.
	NoPolicy = plan.NoPolicy
	// Calico enforces network policies on Linux and Windows nodes.
	Calico = plan.CalicoPolicy
)

// The ways that work with Windows nodes.
const (
	// LoadBalancer is a load balancer with a public address. It is the default.
	LoadBalancer = plan.LoadBalancer
	// ManagedNATGateway is a NAT gateway that Azure makes, in a network that it makes:
	// the nodes have no subnet of yours.
	ManagedNATGateway = plan.ManagedNATGateway
	// UserAssignedNATGateway is a NAT gateway of the nodes' subnet, which is yours. The
	// gateway must be on the subnets of all pools, and have a public address, before the
	// cluster is made: Azure checks it, this library does not see it.
	UserAssignedNATGateway = plan.UserAssignedNATGateway
	// UserDefinedRouting is a route table of the nodes' subnet, which is yours. The table
	// must be there before the cluster is made, with a route for 0.0.0.0/0 to an appliance
	// or gateway: Azure checks it, this library does not see it.
	UserDefinedRouting = plan.UserDefinedRouting
)

// WindowsAdmin is the administrator of the Windows nodes.
type WindowsAdmin struct {
	// Username has 1 to 20 characters; Azure refuses some common names. It can never
	// be changed. The default is [DefaultUsername].
	Username string `pulumi:"username,optional"`

	// Password has 14 to 123 characters, of three of: lower case, upper case,
	// digits, others. it is marked secret if it is not already. It has no default. For another
	// one Azure restarts all Windows nodes.
	//
	// A plain string is checked with the other arguments. An output, a secret of the
	// configuration for example, is checked when it is known: what is wrong with it is an
	// error of the cluster, in the preview as well.
	Password pulumi.StringInput `pulumi:"password" provider:"secret"`

	// LicenseType is [WindowsServerLicense] for nodes that are covered by licences
	// of your own. The default is [NoLicense], and what Azure has for a cluster that was taken over. For
	// another one Azure reimages all Windows nodes.
	LicenseType LicenseType `pulumi:"licenseType,optional"`

	// GMSA is the support for group managed service accounts. The default is none, and what Azure has
	// for a cluster that was taken over.
	GMSA GMSA `pulumi:"gmsa,optional"`
}

// DefaultUsername is the Windows administrator's name if none is given.
const DefaultUsername = "azureuser"

// LicenseType is a licence for Windows in Azure's words
// (https://learn.microsoft.com/azure/aks/windows-faq).
type LicenseType = plan.LicenseType

// The licences that there are.
const (
	// NoLicense is none of your own. It is the default.
	NoLicense = plan.NoLicense
	// WindowsServerLicense covers the nodes with licences of your own.
	WindowsServerLicense = plan.WindowsServerLicense
)

// GMSA is the support for group managed service accounts. It is plain, as it is compared with what
// Azure has: azure-native would replace the cluster for another one. Give an address that another
// stack knows with [pulumi.StackReference.GetOutputDetails]
// (https://learn.microsoft.com/azure/aks/use-group-managed-service-accounts).
type GMSA = plan.GMSA

// Retry says how long to retry what Azure refuses while it is busy.
type Retry = plan.Retry

// Identity is what the cluster acts as.
type Identity struct {
	// UserAssignedID is the resource ID of a managed identity. The default is an
	// identity that comes and goes with the cluster; one that was taken over keeps its own.
	UserAssignedID pulumi.StringInput `pulumi:"userAssignedID,optional"`
}

// APIServer says who reaches the API server, and how.
type APIServer struct {
	// AuthorizedIPRanges are addresses and CIDRs that may; empty means all. Outputs, the address
	// of a NAT gateway of the same program for example, are checked when they are known.
	AuthorizedIPRanges pulumi.StringArrayInput `pulumi:"authorizedIPRanges,optional"`
	// Private gives it an address in the virtual network only. A cluster that was taken over and has
	// such an API server keeps it.
	Private bool `pulumi:"private,optional"`
	// PrivateDNSZone is the resource ID of the zone of a private API server, or
	// "system" or "none". The default is Azure's.
	PrivateDNSZone pulumi.StringInput `pulumi:"privateDNSZone,optional"`
	// DisableLocalAccounts leaves only accounts of Microsoft Entra ID, for which
	// Options.AadProfile is needed, except for a cluster that was taken over with such a
	// profile. By default there are local accounts, and without a profile
	// [Cluster.Kubeconfig] is the certificate of a cluster administrator.
	DisableLocalAccounts bool `pulumi:"disableLocalAccounts,optional"`
}

// NodePoolArgs are the arguments of [NewNodePool].
type NodePoolArgs struct {
	// ResourceGroupName is the group of the cluster that the pool is for.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName"`

	// ClusterName is the name of that cluster in Azure.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`

	// KubernetesVersion is the cluster's, for the rules about versions, which are skipped where it is
	// empty, and for [NodePool.Pool]. It is not sent: Azure gives the nodes the cluster's version, and
	// the program leaves later upgrades to others, unless Pool says a version.
	KubernetesVersion string `pulumi:"kubernetesVersion,optional"`

	// Pool is the pool.
	Pool topology.Pool `pulumi:"pool"`

	// PoolOptions are what a [topology.Pool] does not have.
	PoolOptions

	// Network is the cluster's, as far as it is known: what is left out is not
	// checked.
	Network Network `pulumi:"network,optional"`

	// Tags are put on the pool.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Retry says how long to retry what Azure refuses while it is busy with another operation
	// of the cluster: see the package's documentation.
	Retry Retry `pulumi:"retry,optional"`

	// Ignore are the IDs of rules whose findings shall not stop the program.
	Ignore []string `pulumi:"ignore,optional"`
}
