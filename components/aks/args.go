package aks

import (
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
)

// ClusterArgs are the arguments of [NewCluster].
type ClusterArgs struct {
	// ResourceGroupName is the group that the cluster is created in. The default is a
	// new group.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName,optional"`

	// ClusterName is the cluster's name in Azure: 1 to 63 letters, digits, hyphens
	// and underscores, a letter or digit at both ends. Azure refuses names that contain
	// "windows" or "microsoft", and other reserved words. The default is the name of the
	// component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Location is the Azure region, for example "westeurope". The default is the region of
	// the resource group, whose default is the provider's.
	Location pulumi.StringInput `pulumi:"location,optional"`

	// KubernetesVersion is the version of the control plane and of each pool that sets no
	// version: "1.35" or "1.35.2". It has no default, because Azure's changes with time.
	KubernetesVersion string `pulumi:"kubernetesVersion"`

	// Pools are the node pools. Azure creates the cluster with the first one of mode System.
	Pools []topology.Pool `pulumi:"pools"`

	// PoolOptions are settings that a [topology.Pool] does not have, by the name of the
	// pool.
	PoolOptions map[string]PoolOptions `pulumi:"poolOptions,optional"`

	// Network is the cluster's network. The default is the Azure CNI overlay.
	Network Network `pulumi:"network,optional"`

	// WindowsAdmin is the administrator of the Windows nodes. Azure needs one when
	// the cluster is created, even if the first Windows pool comes later.
	WindowsAdmin WindowsAdmin `pulumi:"windowsAdmin"`

	// Identity is the identity that the cluster acts as. The default is an identity of
	// its own.
	Identity Identity `pulumi:"identity,optional"`

	// APIServer configures who can reach the API server, and how. By default it is public.
	APIServer APIServer `pulumi:"apiServer,optional"`

	// Login configures how the provider and the kubeconfig sign in. By default they use az if the
	// cluster has Microsoft Entra ID, and a client certificate otherwise.
	Login Login `pulumi:"login,optional"`

	// Tags are put on the cluster, its pools, and the resource group if the component creates it.
	// The default is none; for an existing cluster, the default is its tags.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// AzureCLI lets the program run az on this machine, with the plugin of
	// pulumi-command, for changes that azure-native cannot make in place: see the package's
	// documentation. az must be installed and logged in. The commands are for sh, or for cmd if
	// Pulumi runs on Windows: an update on the other kind of machine runs them again.
	AzureCLI bool `pulumi:"azureCLI,optional"`

	// Unprotected lets Pulumi delete and replace the cluster. By default it refuses.
	Unprotected bool `pulumi:"unprotected,optional"`

	// Retry configures how long to retry requests that Azure refuses while it is busy with another
	// operation of the cluster.
	Retry Retry `pulumi:"retry,optional"`

	// Options are settings that these arguments do not have, and are passed on unchanged.
	// An option that one of the arguments above controls is an error, even if both have the
	// same value.
	Options *containerservice.ManagedClusterArgs `pulumi:"options,optional"`

	// Ignore are the IDs of rules whose findings must not stop the program, for example
	// "MK712". The findings are still shown, as info. A few rules cannot be ignored, because
	// the component relies on them.
	Ignore []string `pulumi:"ignore,optional"`
}

// PoolOptions are settings of a pool in addition to its [topology.Pool].
type PoolOptions struct {
	// NodeSubnetID is the subnet of the nodes. The default is the network's.
	NodeSubnetID pulumi.StringInput `pulumi:"nodeSubnetID,optional"`

	// PodSubnetID is the subnet of the pods. The default is the network's.
	PodSubnetID pulumi.StringInput `pulumi:"podSubnetID,optional"`

	// NameInAzure is the name of a pool that keeps it, for example of a pool that was created
	// without this library. Properties of such a pool that the program leaves out keep their
	// values in Azure. For [NewNodePool], which looks nothing up, this is true only of Options.
	// By default this library chooses a name with a suffix, and a change of a property that
	// Azure never changes results in another pool. For a pool with NameInAzure, such a change is an
	// error (MK777), unless Change is [InPlace].
	NameInAzure string `pulumi:"nameInAzure,optional"`

	// Change is how properties change that Azure takes only when it creates a pool: [NewPool], the
	// default, or [InPlace], which needs NameInAzure and Previews. NameInAzure must stay in the
	// program after a change in place: without it, a new pool would replace this one.
	Change Change `pulumi:"change,optional"`

	// Previews are the previews of AKS that the subscription takes part in, and that changes in place
	// need: [VMSSResize] and [WindowsOSUpgrade]. The default is none.
	Previews []Preview `pulumi:"previews,optional"`

	// ImportID is the resource ID of the pool in Azure that NameInAzure names, for a program that
	// takes it over: the next update imports the pool ([pulumi.Import]). Remove the ID after that.
	// An inline pool of the cluster is not a resource, and does not need one. For a pool that this
	// stack has under another name, give the component an alias of its type. The default is none.
	ImportID pulumi.StringInput `pulumi:"importID,optional"`

	// Options are settings that neither these fields nor a [topology.Pool] have, for example
	// the distribution of Linux (OsSKU).
	Options *containerservice.AgentPoolArgs `pulumi:"options,optional"`
}

// Network is a cluster's network. The defaults are for a new cluster: an existing one keeps its mode, policy and
// outbound type if the program does not set them. Azure changes the policy, some outbound types, and the mode
// [NodeSubnet] to [Overlay], but azure-native would replace the cluster, which is protected. So change them with
// `az aks update` and run `pulumi refresh`, before you change the program
// (https://learn.microsoft.com/azure/aks/update-azure-cni).
type Network struct {
	// Mode determines where pods get their addresses from; [Overlay] by default.
	Mode NetworkMode `pulumi:"mode,optional"`

	// Policy is the engine that enforces network policies; [NoPolicy] by default.
	Policy NetworkPolicy `pulumi:"policy,optional"`

	// OutboundType is how packets leave the cluster; [LoadBalancer] by default.
	OutboundType OutboundType `pulumi:"outboundType,optional"`

	// NodeSubnetID is the subnet of the nodes. By default Azure creates a network. In a cluster that was
	// taken over, new pools go into the subnets of the first pool in Azure that has subnets.
	NodeSubnetID pulumi.StringInput `pulumi:"nodeSubnetID,optional"`

	// PodSubnetID is the subnet of the pods, for [PodSubnet]. In a cluster that was taken over, it has
	// the same default as NodeSubnetID.
	PodSubnetID pulumi.StringInput `pulumi:"podSubnetID,optional"`
}

// The values of a pool's options are declared in package plan, which checks them.
type (
	// Change is the way in which a property of an existing pool changes that Azure takes only when it
	// creates a pool.
	Change = plan.Change
	// Preview is a preview of AKS that a subscription takes part in
	// (https://learn.microsoft.com/azure/aks/concepts-preview-api-life-cycle).
	Preview = plan.Preview
)

const (
	// NewPool creates a new pool before it removes the old one. It is the default.
	NewPool = plan.NewPool
	// InPlace lets AKS replace the nodes of the pool: it adds nodes, drains the old ones and removes
	// them. A budget that allows no eviction stops it. azure-native cannot send these changes:
	// [ClusterArgs.AzureCLI] lets the program make them with the Azure CLI and its extension
	// aks-preview, otherwise a finding names the command (MK814).
	InPlace = plan.InPlace

	// VMSSResize changes the size of the machines
	// (https://learn.microsoft.com/azure/aks/resize-node-pool). It is the name of a feature of
	// Microsoft.ContainerService, which `az feature register` registers.
	VMSSResize = plan.VMSSResize
	// WindowsOSUpgrade changes Windows Server 2022 to 2025. Azure's pages do not say how to go back,
	// and no source names its feature: find out from Azure whether your subscription has it
	// (https://github.com/Azure/AKS/issues/5904).
	WindowsOSUpgrade = plan.WindowsOSUpgrade
)

// The values of a network's fields are declared in package plan, which checks them.
type (
	// NetworkMode determines where pods get their addresses from
	// (https://learn.microsoft.com/azure/aks/concepts-network-cni-overview).
	NetworkMode = plan.NetworkMode
	// NetworkPolicy is the engine that enforces network policies, by its name in Azure
	// (https://learn.microsoft.com/azure/aks/use-network-policies).
	NetworkPolicy = plan.NetworkPolicy
	// OutboundType is how packets leave the cluster, by its name in Azure
	// (https://learn.microsoft.com/azure/aks/egress-outboundtype).
	OutboundType = plan.OutboundType
)

// The modes that support Windows nodes.
const (
	// Overlay gives pods addresses of a range of their own. It is the default.
	Overlay = plan.Overlay
	// PodSubnet gives pods addresses of a subnet other than the subnet of the nodes.
	PodSubnet = plan.PodSubnet
	// NodeSubnet gives pods addresses of the nodes' subnet.
	NodeSubnet = plan.NodeSubnet
)

// The engines that support Windows nodes.
const (
	// NoPolicy enforces nothing. It is the default of a new cluster.
	NoPolicy = plan.NoPolicy
	// Calico enforces network policies on Linux and Windows nodes.
	Calico = plan.CalicoPolicy
)

// The outbound types that support Windows nodes.
const (
	// LoadBalancer is a load balancer with a public address. It is the default.
	LoadBalancer = plan.LoadBalancer
	// ManagedNATGateway is a NAT gateway that Azure creates, in a network that Azure creates:
	// the nodes cannot be in a subnet of yours.
	ManagedNATGateway = plan.ManagedNATGateway
	// UserAssignedNATGateway is a NAT gateway of your own, on the subnet of the nodes. The
	// gateway must be on the subnets of all pools, and have a public address, before the
	// cluster is created: Azure checks it, this library does not see it.
	UserAssignedNATGateway = plan.UserAssignedNATGateway
	// UserDefinedRouting is a route table of your own, on the subnet of the nodes. The table
	// must exist before the cluster is created, with a route for 0.0.0.0/0 to an appliance
	// or gateway: Azure checks it, this library does not see it.
	UserDefinedRouting = plan.UserDefinedRouting
)

// WindowsAdmin is the administrator of the Windows nodes.
//
// Azure can change the password, the license and gMSA in place, but never the user name. azure-native would replace
// the cluster, so the resource of the cluster ignores changes of password, license and gMSA. With
// [ClusterArgs.AzureCLI] the program makes them with the Azure CLI. Without it, a finding names the command to run
// (MK795).
//
//   - If the password changes, Azure restarts all Windows nodes (https://learn.microsoft.com/azure/aks/windows-faq). If
//     the license changes, Azure reimages them (https://github.com/Azure/AKS/issues/3913), and they pull all images
//     again.
//   - azure-native sends the first values again with each later change of the cluster. With AzureCLI the command
//     follows each change that the program makes. Run it yourself without AzureCLI, and after a change that `pulumi
//     refresh` led to. Once the password or the license differs from the first one, expect the Windows nodes to restart
//     at each change of the cluster.
//   - Azure does not return the password, so the program cannot see whether you have run the command: ignore MK795
//     with [ClusterArgs.Ignore].
//   - To detect another password, the state has a digest of the first one (PBKDF2). The first password itself stays in
//     the state as a secret, because it is an input of the resource of the cluster. After a rotation it opens nothing,
//     as soon as the command has followed the last change of the cluster.
type WindowsAdmin struct {
	// Username has 1 to 20 characters; Azure refuses some common names. It can never
	// change. The default is [DefaultUsername].
	Username string `pulumi:"username,optional"`

	// Password has 14 to 123 characters, from three of these: lower case, upper case,
	// digits, others. It is marked secret if it is not already. It has no default. If it
	// changes, Azure restarts all Windows nodes.
	//
	// A plain string is checked with the other arguments. An output, for example a secret of
	// the configuration, is checked when it is known: an invalid one fails the cluster, in the
	// preview too.
	Password pulumi.StringInput `pulumi:"password" provider:"secret"`

	// LicenseType is [WindowsServerLicense] for nodes that are covered by licenses
	// of your own. The default is [NoLicense]; a cluster that was taken over keeps its license type. If
	// it changes, Azure reimages all Windows nodes.
	LicenseType LicenseType `pulumi:"licenseType,optional"`

	// GMSA is the support for group managed service accounts. The default is none; a cluster that was
	// taken over keeps its settings.
	GMSA GMSA `pulumi:"gmsa,optional"`
}

// DefaultUsername is the default name of the Windows administrator.
const DefaultUsername = "azureuser"

// LicenseType is a license for Windows, by its name in Azure
// (https://learn.microsoft.com/azure/aks/windows-faq).
type LicenseType = plan.LicenseType

// The license types of Azure.
const (
	// NoLicense uses no license of your own. It is the default.
	NoLicense = plan.NoLicense
	// WindowsServerLicense covers the nodes with licenses of your own.
	WindowsServerLicense = plan.WindowsServerLicense
)

// GMSA is the support for group managed service accounts. It must be plain, because it is compared with the settings in
// Azure: azure-native would replace the cluster if it changes. Read an address that another stack exports with
// [pulumi.StackReference.GetOutputDetails]
// (https://learn.microsoft.com/azure/aks/use-group-managed-service-accounts).
type GMSA = plan.GMSA

// Retry configures how long to retry requests that Azure refuses while it is busy.
//
// AKS makes one change of a cluster or of its pools at a time. It refuses a second one with OperationNotAllowed or
// EtagMismatch, even during an operation that AKS started itself, for example after it has created the cluster.
// azure-native and az give up then. The components retry after these two answers, and no others, with an error hook of
// Pulumi. The log shows each retry. If Azure still refuses the last one, the update fails with Azure's answer. So pools
// are created, changed and removed in parallel, and Azure puts them in order.
//
// New pools in a virtual network of your own are created one after the other, because Azure accepts two of them and
// then fails one (SetVNetOwnershipFailed). A hook cannot retry that: Pulumi keeps the pool in its state, and the next
// `pulumi up` repairs it. A component does not know of other components: let [NewNodePool] depend on another one in
// the same virtual network.
//
// Error hooks run within the program:
//
//   - Pulumi before 3.244.0 runs them after failed deletions only, and before 3.217.0 not at all. The log reports this,
//     and the pools of a [Cluster] or of an [ExistingCluster] are created one after the other. Let a pool of
//     [NewNodePool] depend on the previous one. If an operation of AKS itself still interferes, run `pulumi up` again.
//   - `pulumi destroy` does not run the program, so nothing is retried. Azure deletes a cluster with its pools even
//     while it is busy. If it refuses to delete a pool of [NewNodePool], run the command again, or run `pulumi
//     destroy --run-program`.
//   - If a component is no longer in the program, the deletion of its pools is not retried: run `pulumi up` again.
type Retry = plan.Retry

// Identity is the identity that the cluster acts as.
type Identity struct {
	// UserAssignedID is the resource ID of a managed identity. The default is an identity that
	// Azure creates and deletes with the cluster; a cluster that was taken over keeps its own.
	UserAssignedID pulumi.StringInput `pulumi:"userAssignedID,optional"`
}

// APIServer configures who can reach the API server, and how.
type APIServer struct {
	// AuthorizedIPRanges are the addresses and CIDRs that can reach it; empty means all. Outputs,
	// for example the address of a NAT gateway of the same program, are checked when they are known.
	AuthorizedIPRanges pulumi.StringArrayInput `pulumi:"authorizedIPRanges,optional"`
	// Private gives it only an address in the virtual network. A cluster that was taken over with a
	// private API server keeps it.
	Private bool `pulumi:"private,optional"`
	// PrivateDNSZone is the resource ID of the zone of a private API server, or
	// "system" or "none". The default is Azure's.
	PrivateDNSZone pulumi.StringInput `pulumi:"privateDNSZone,optional"`
	// DisableLocalAccounts leaves only accounts of Microsoft Entra ID. These need
	// Options.AadProfile, except in a cluster that was taken over with such a profile. By
	// default there are local accounts, and without a profile [Cluster.Kubeconfig] is the
	// certificate of a cluster administrator.
	DisableLocalAccounts bool `pulumi:"disableLocalAccounts,optional"`
}

// NodePoolArgs are the arguments of [NewNodePool].
type NodePoolArgs struct {
	// ResourceGroupName is the group of the cluster that the pool is for.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName"`

	// ClusterName is the name of that cluster in Azure.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`

	// KubernetesVersion is the cluster's version, for the rules about versions, which are skipped if it
	// is empty, and for [NodePool.Pool]. It is not sent: Azure gives the nodes the version of the cluster,
	// and the program leaves later upgrades to others, unless Pool sets a version.
	KubernetesVersion string `pulumi:"kubernetesVersion,optional"`

	// Pool is the pool.
	Pool topology.Pool `pulumi:"pool"`

	// PoolOptions are settings that a [topology.Pool] does not have.
	PoolOptions

	// Network is the cluster's network, if known: fields that are not set are not checked.
	Network Network `pulumi:"network,optional"`

	// Tags are put on the pool.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Retry configures how long to retry requests that Azure refuses while it is busy with another
	// operation of the cluster.
	Retry Retry `pulumi:"retry,optional"`

	// Ignore are the IDs of rules whose findings must not stop the program.
	Ignore []string `pulumi:"ignore,optional"`
}
