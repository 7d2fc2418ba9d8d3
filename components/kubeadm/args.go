package kubeadm

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/components/topology"
)

// ClusterArgs are the arguments of [NewCluster].
type ClusterArgs struct {
	// ResourceGroupName is the group that the cluster is made in. The default is a
	// group of its own.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName,optional"`

	// ClusterName is the beginning of the names of the cluster's resources in Azure: 1
	// to 30 lower-case letters, digits and hyphens. The default is the name of the
	// component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Location is the Azure region, "westeurope" for example. The default is that of the
	// resource group, and of that the provider's.
	Location pulumi.StringInput `pulumi:"location,optional"`

	// KubernetesVersion is the version of the control plane, from 1.34 on, and where a
	// pool does not say another of its nodes: "1.36". Required. A control plane that is
	// there already is not upgraded: see the package's documentation.
	KubernetesVersion string `pulumi:"kubernetesVersion"`

	// ControlPlane is the machines of the control plane.
	ControlPlane ControlPlane `pulumi:"controlPlane,optional"`

	// Pools are the node pools, Linux and Windows. A pool has a size, and no
	// autoscaling, FIPS, upgrade settings and outbound NAT, which are AKS' own.
	Pools []topology.Pool `pulumi:"pools,optional"`

	// PoolOptions are for what a [topology.Pool] does not have, by the name of the pool.
	PoolOptions map[string]PoolOptions `pulumi:"poolOptions,optional"`

	// Network is that of the pods. Its NodeCIDR is the range of the virtual network,
	// 10.240.0.0/24 by default and /25 at the smallest: the control plane has its first
	// eighth, the nodes its second half. Calico without an overlay does not work in Azure.
	//
	// To its BlockedEgress the component adds the WireServer, 168.63.129.16 with the TCP ports
	// 80 and 32526, and the instance metadata service, 169.254.169.254: see the package's
	// documentation, "What pods can reach". Machines that are there keep their rules.
	Network network.Network `pulumi:"network,optional"`

	// PodsReachInstanceMetadata leaves the instance metadata service open to pods, for drivers
	// that sign in with the identity of their machine. By default only the machine, and what
	// runs in its network, reaches it.
	PodsReachInstanceMetadata bool `pulumi:"podsReachInstanceMetadata,optional"`

	// Keys says where the keys of the cluster come from, and replaces them. By default all are
	// made from a secret that is drawn once and kept in the state.
	Keys Keys `pulumi:"keys,optional"`

	// LinuxAdmin is the administrator of the Linux machines.
	LinuxAdmin LinuxAdmin `pulumi:"linuxAdmin"`

	// WindowsAdmin is the administrator of the Windows machines, needed where there are
	// such pools.
	WindowsAdmin WindowsAdmin `pulumi:"windowsAdmin,optional"`

	// APIServer says who reaches the API server, and how it is protected. By default
	// everybody reaches it, with a certificate of the cluster; it writes an audit log, and
	// Secrets are encrypted in etcd.
	APIServer APIServer `pulumi:"apiServer,optional"`

	// NodePortSources are the addresses and CIDRs outside the cluster that reach Services
	// of the type NodePort at the nodes' own addresses. Empty means none. Outputs are checked
	// when they are known.
	NodePortSources pulumi.StringArrayInput `pulumi:"nodePortSources,optional"`

	// ServicePorts are the ports of a load balancer with a public address,
	// [Cluster.ServiceAddress], which leads to Services of the type NodePort. It is made
	// if there is one port at least; at most 250. Kubernetes knows nothing of it: give the
	// Service the node port that is named here.
	ServicePorts []ServicePort `pulumi:"servicePorts,optional"`

	// Releases are what the machines download. The default is
	// [bootstrap.KnownReleases], in which hashes of programs for Windows are missing.
	Releases bootstrap.Releases `pulumi:"releases,optional"`

	// Tags are put on all resources in Azure.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Unprotected lets Pulumi delete and replace the machines of the control plane. By
	// default it refuses.
	Unprotected bool `pulumi:"unprotected,optional"`

	// Ignore lists the IDs of the rules of docs/rules/kubeadm.md whose findings do not stop the
	// program, for example "MK649". They are still shown, as info. Most rules cannot be ignored,
	// because without them there would be no machine or no node.
	Ignore []string `pulumi:"ignore,optional"`
}

// What is plain is declared in package plan, which checks it.
type (
	// ControlPlane is the machines of a control plane. They run Linux.
	ControlPlane = plan.ControlPlane
	// PoolOptions are what a pool is given beside its [topology.Pool].
	PoolOptions = plan.PoolOptions
	// Image is an image of the marketplace, or one's own.
	Image = plan.Image
	// Security is how Azure guards machines: Trusted Launch, encryption at host.
	Security = plan.Security
	// SecurityType is [TrustedLaunch] or [StandardSecurity].
	SecurityType = plan.SecurityType
	// Patching is who updates the operating system of machines that are there.
	Patching = plan.Patching
	// PatchMode is [AutomaticByPlatform], or empty.
	PatchMode = plan.PatchMode
	// RebootSetting is [RebootNever], [RebootIfRequired] or [RebootAlways].
	RebootSetting = plan.RebootSetting
	// ServicePort is a TCP port at which a Service is reached from outside.
	ServicePort = plan.ServicePort
)

// The values of [SecurityType], [PatchMode] and [RebootSetting].
const (
	TrustedLaunch       = plan.TrustedLaunch
	StandardSecurity    = plan.StandardSecurity
	AutomaticByPlatform = plan.AutomaticByPlatform
	RebootNever         = plan.RebootNever
	RebootIfRequired    = plan.RebootIfRequired
	RebootAlways        = plan.RebootAlways
)

// APIServer says who reaches the API server, and how it is protected.
type APIServer struct {
	// AuthorizedIPRanges are the addresses and CIDRs that do, beside the nodes; empty
	// means all, or none if it is private. Outputs, the address of a NAT gateway of the same
	// program for example, are checked when they are known.
	AuthorizedIPRanges pulumi.StringArrayInput `pulumi:"authorizedIPRanges,optional"`
	// Private gives it no public address: the program itself has to run where it reaches
	// the virtual network.
	Private bool `pulumi:"private,optional"`
	// Options are those of the API servers themselves. They take effect when the cluster is
	// made, and later as [bootstrap.APIServerOptions] says.
	Options bootstrap.APIServerOptions `pulumi:"options,optional"`
}

// Keys says where the keys of a cluster come from, and which of them are in use. There are five
// kinds. Each kind has generations, from 0 on, of which one signs; the package's documentation
// ("Where the keys come from") says how another generation takes its place.
type Keys struct {
	// Secrets are what keys are made from, one for each generation up to the last one in use:
	// at least 32 characters, from `openssl rand -base64 32` for example. They become secrets if
	// they are none. By default each is drawn at random when its generation is first used, and
	// kept by a protected resource of the stack: give them if the keys shall outlive the state.
	// Each update stretches one that is given (scrypt), which takes some tenths of a second. The
	// first stays in use for what the machines of the control plane are told.
	Secrets []pulumi.StringInput `pulumi:"secrets,optional" provider:"secret"`

	// Cluster is the cluster's certificate authority. Machines of pools trust the generation
	// that signs and those that are to sign later: other machines take their place if these
	// change.
	Cluster Key `pulumi:"cluster,optional"`
	// Etcd is the certificate authority of etcd.
	Etcd Key `pulumi:"etcd,optional"`
	// FrontProxy is the certificate authority of the API server as a client of aggregated ones.
	FrontProxy Key `pulumi:"frontProxy,optional"`
	// ServiceAccounts signs the tokens of service accounts.
	ServiceAccounts Key `pulumi:"serviceAccounts,optional"`
	// Encryption is what Secrets are encrypted with in etcd. It has no pairs.
	Encryption Key `pulumi:"encryption,optional"`
}

// Key says which generations of one kind of key are in use.
type Key struct {
	// Generation is the one that signs, or encrypts: from 0 to 99, 0 by default. The one that is
	// to be the next has to be trusted before.
	Generation int `pulumi:"generation,optional"`
	// Trusted are the other generations that are trusted, or decrypt.
	Trusted []int `pulumi:"trusted,optional"`
	// Pairs are key pairs of your own, RSA or ECDSA. Generations without one are made from the
	// secret.
	Pairs []KeyPair `pulumi:"pairs,optional"`
}

// KeyPair is a key pair of your own.
type KeyPair struct {
	// Generation is the one that it is: it has to be in use.
	Generation int `pulumi:"generation,optional"`
	// Certificate is the certificate of an authority in PEM, and for service accounts a block
	// PUBLIC KEY.
	Certificate pulumi.StringInput `pulumi:"certificate"`
	// PrivateKey is its key in PEM, without a password. One that is only trusted needs none. It
	// becomes a secret if it is none.
	PrivateKey pulumi.StringInput `pulumi:"privateKey,optional" provider:"secret"`
}

// LinuxAdmin is the administrator of the Linux machines. No port is open for it:
// reach a machine by Azure Bastion, by its serial console, or from a network that is
// peered and let in by a rule of yours.
type LinuxAdmin struct {
	// Username is [DefaultUsername] if it is empty.
	Username string `pulumi:"username,optional"`
	// SSHPublicKey is the key that lets it in, as in authorized_keys. Required: there is
	// no password.
	SSHPublicKey pulumi.StringInput `pulumi:"sshPublicKey"`
}

// WindowsAdmin is the administrator of the Windows machines.
type WindowsAdmin struct {
	// Username has 1 to 20 characters; Azure refuses some common names. The default is
	// [DefaultUsername].
	Username string `pulumi:"username,optional"`
	// Password has 8 to 123 characters, of three of: lower case, upper case, digits,
	// others. it is marked secret if it is not already. Machines that are there keep theirs.
	Password pulumi.StringInput `pulumi:"password,optional" provider:"secret"`
	// LicenseType is "Windows_Server" for machines that are covered by licences of your
	// own. The default is to pay for them with the machine.
	LicenseType string `pulumi:"licenseType,optional"`
}

// DefaultUsername is an administrator's name if none is given.
const DefaultUsername = "azureuser"

// NodePoolArgs are the arguments of [NewNodePool].
type NodePoolArgs struct {
	// ResourceGroupName is the group that the machines are made in. Required.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName"`

	// ClusterName is the beginning of the names of the resources in Azure, as in
	// [ClusterArgs]. The default is the name of the component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Location is the Azure region. The default is that of the resource group.
	Location pulumi.StringInput `pulumi:"location,optional"`

	// KubernetesVersion is that of the cluster's control plane, "1.36". Required.
	KubernetesVersion string `pulumi:"kubernetesVersion"`

	// Pool is the pool, as in [ClusterArgs.Pools].
	Pool topology.Pool `pulumi:"pool"`

	// PoolOptions are what a [topology.Pool] does not have.
	PoolOptions

	// SubnetID is the subnet of the machines. Required. Its security group has to let in
	// what [network.Defaulted.Ports] names, and it needs a way out for the downloads.
	SubnetID pulumi.StringInput `pulumi:"subnetID"`

	// RouteTableName is the table that the machines' routes are added to, in the group of
	// the machines. Required for the kinds of networks that have routes.
	RouteTableName pulumi.StringInput `pulumi:"routeTableName,optional"`

	// Network is that of the cluster's pods. NodeCIDR is the range that the addresses of
	// all nodes are in. Required. Its BlockedEgress is added to as in [ClusterArgs].
	Network network.Network `pulumi:"network"`

	// PodsReachInstanceMetadata leaves the instance metadata service open to the pods of these
	// machines, as in [ClusterArgs].
	PodsReachInstanceMetadata bool `pulumi:"podsReachInstanceMetadata,optional"`

	// Endpoint is where the nodes reach the API server, host:port: [Cluster.Endpoint] for
	// example. Required.
	Endpoint pulumi.StringInput `pulumi:"endpoint"`

	// CACertificate is the certificate of the cluster's certificate authority in PEM: its
	// /etc/kubernetes/pki/ca.crt, or [Cluster.CACertificate]. It or CACertHashes are required,
	// and it is for a cluster of [NewCluster], whose API server lets nobody read the ConfigMap
	// cluster-info.
	CACertificate pulumi.StringInput `pulumi:"caCertificate,optional"`

	// CACertHashes pin the cluster's certificate authority, as `kubeadm token create
	// --print-join-command` shows it: for a cluster in which everybody can read the ConfigMap
	// cluster-info, as kubeadm makes it.
	CACertHashes pulumi.StringArrayInput `pulumi:"caCertHashes,optional"`

	// Token is a bootstrap token that is valid while the machines join. Required. Change
	// it before machines are added: those that are there have no more need of theirs.
	Token pulumi.StringInput `pulumi:"token" provider:"secret"`

	// LinuxAdmin is the administrator of the machines of a Linux pool, which needs one.
	LinuxAdmin LinuxAdmin `pulumi:"linuxAdmin,optional"`

	// WindowsAdmin is the administrator of the machines of a Windows pool, which needs one.
	WindowsAdmin WindowsAdmin `pulumi:"windowsAdmin,optional"`

	// Releases are what the machines download, as in [ClusterArgs].
	Releases bootstrap.Releases `pulumi:"releases,optional"`

	// Tags are put on all resources in Azure.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Ignore are the IDs of rules whose findings shall not stop the program, as in
	// [ClusterArgs].
	Ignore []string `pulumi:"ignore,optional"`
}
