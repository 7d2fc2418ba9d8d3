package kubeadm

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// ClusterArgs are the arguments of [NewCluster].
type ClusterArgs struct {
	// ResourceGroupName is the resource group that the cluster is created in. By default the
	// component creates one.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName,optional"`

	// ClusterName is the prefix of the names of the cluster's resources in Azure: 1 to 30
	// lower-case letters, digits and hyphens. The default is the name of the component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Location is the Azure region, "westeurope" for example. The default is the location of the
	// resource group; for a resource group that the component creates, it is the location of the
	// provider.
	Location pulumi.StringInput `pulumi:"location,optional"`

	// KubernetesVersion is the version of the control plane, 1.34 or newer, and of the nodes of
	// each pool that does not set its own: "1.36". Required. The component does not upgrade an
	// existing control plane: see the package's documentation.
	KubernetesVersion string `pulumi:"kubernetesVersion"`

	// ControlPlane describes the machines of the control plane.
	ControlPlane ControlPlane `pulumi:"controlPlane,optional"`

	// Pools are the node pools, Linux and Windows. Each pool needs a size. Autoscaling, FIPS,
	// upgrade settings and outbound NAT are features of AKS and must not be set.
	Pools []topology.Pool `pulumi:"pools,optional"`

	// PoolOptions are options that a [topology.Pool] does not have, by the name of the pool.
	PoolOptions map[string]PoolOptions `pulumi:"poolOptions,optional"`

	// Network describes the pod network. Its NodeCIDR is the range of the virtual network, by
	// default 10.240.0.0/24 and at the smallest /25: the first eighth is for the control plane, the
	// second half for the nodes. Calico without an overlay does not work in Azure.
	//
	// The component adds two destinations to its BlockedEgress: the WireServer, 168.63.129.16 with
	// the TCP ports 80 and 32526, and the instance metadata service, 169.254.169.254. See the
	// package's documentation, "What pods can reach". Existing machines keep their rules.
	Network network.Network `pulumi:"network,optional"`

	// NetworkManifests is the text of the manifests that install Calico or Antrea, with a line "---"
	// between them: of Calico's operator with its CustomResourceDefinitions, or Antrea's antrea.yml
	// and antrea-windows-with-ovs.yml. The component adds the first two of Calico's objects, or sets
	// the settings of Antrea's agents, and applies the manifests when the API server answers, as
	// [manifest.NewGroup] does. It is an error for networks that the component installs itself. By
	// default you install Calico or Antrea, see [Cluster.NetworkProvider].
	NetworkManifests string `pulumi:"networkManifests,optional"`

	// PodsReachInstanceMetadata lets pods reach the instance metadata service, for drivers that
	// sign in with the identity of their machine. By default only the machine reaches it, and
	// whatever runs in its network.
	PodsReachInstanceMetadata bool `pulumi:"podsReachInstanceMetadata,optional"`

	// Keys configures where the keys of the cluster come from, and replaces them. By default all
	// keys are derived from a secret that is generated once and stored in the state.
	Keys Keys `pulumi:"keys,optional"`

	// LinuxAdmin is the administrator of the Linux machines.
	LinuxAdmin LinuxAdmin `pulumi:"linuxAdmin"`

	// WindowsAdmin is the administrator of the Windows machines. Required if there are Windows
	// pools.
	WindowsAdmin WindowsAdmin `pulumi:"windowsAdmin,optional"`

	// APIServer configures who can reach the API server, and how it is protected. By default
	// everyone can reach it with a certificate of the cluster, it writes an audit log, and it
	// encrypts Secrets in etcd.
	APIServer APIServer `pulumi:"apiServer,optional"`

	// NodePortSources are the addresses and CIDRs outside the cluster that can reach Services of
	// the type NodePort at the nodes' own addresses. Empty means none. Outputs are checked when
	// they are known.
	NodePortSources pulumi.StringArrayInput `pulumi:"nodePortSources,optional"`

	// ServicePorts are the ports of a load balancer with a public address,
	// [Cluster.ServiceAddress], that forwards to Services of the type NodePort. The load balancer
	// is created if there is at least one port; there can be at most 250. Kubernetes does not know
	// the load balancer: set the node port from here in the Service.
	ServicePorts []ServicePort `pulumi:"servicePorts,optional"`

	// Releases are the programs that the machines download, where they differ from
	// [bootstrap.KnownReleases]. The hashes of programs for Windows are not known.
	Releases bootstrap.Releases `pulumi:"releases,optional"`

	// Tags are set on all resources in Azure.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Unprotected lets Pulumi delete and replace the machines of the control plane. By default
	// Pulumi refuses to.
	Unprotected bool `pulumi:"unprotected,optional"`

	// Ignore lists the IDs of the rules of docs/rules/kubeadm.md whose findings do not stop the
	// program, for example "MK649". They are still shown, as info. Most rules cannot be ignored,
	// because without them there would be no machine or no node.
	Ignore []string `pulumi:"ignore,optional"`
}

// The types whose values are plain are declared in package plan, which checks them.
type (
	// ControlPlane describes the machines of a control plane. They run Linux.
	ControlPlane = plan.ControlPlane
	// PoolOptions are options of a pool that its [topology.Pool] does not have.
	PoolOptions = plan.PoolOptions
	// Image is an image of the marketplace, or a custom image.
	Image = plan.Image
	// Security configures how Azure protects machines: Trusted Launch, encryption at host.
	Security = plan.Security
	// SecurityType is [TrustedLaunch] or [StandardSecurity].
	SecurityType = plan.SecurityType
	// Patching configures who updates the operating system of existing machines.
	Patching = plan.Patching
	// PatchMode is [AutomaticByPlatform], or empty.
	PatchMode = plan.PatchMode
	// RebootSetting is [RebootNever], [RebootIfRequired] or [RebootAlways].
	RebootSetting = plan.RebootSetting
	// ServicePort is a TCP port at which clients outside the cluster reach a Service.
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

// APIServer configures who can reach the API server, and how it is protected.
//
// The API servers write an audit log into /var/log/kubernetes/audit of their machines, with who did what and when, and
// never a body. They encrypt Secrets in etcd, answer anonymous requests only for health checks, and serve no profiles.
// Options can have an audit policy of your own, the users of an OpenID Connect provider, a Pod Security Standard for
// all namespaces, and further names and arguments. A cluster that an older release of this library created keeps its
// arguments, which are in the ConfigMap kubeadm-config.
//
// The certificate authorities are valid for ten years after the first use of their generation: replace them before. The
// certificates that kubeadm signs with them expire after a year. Once a month, on a day of its own, each machine of the
// control plane renews them and restarts its four components, one after the other
// (mixedkube-renew-certificates.timer). `kubeadm certs check-expiration` shows when they expire. Kubelets renew their
// own. A machine that an older release of this library created has no such timer: each year run `kubeadm certs renew
// all` and restart the static pods, or run `kubeadm upgrade`.
//
// On a machine of the control plane only /etc/kubernetes/admin.conf has the key of an administrator. The file
// super-admin.conf, whose user has all rights whatever you change, is removed when the cluster is created. For an
// emergency, `kubeadm init phase kubeconfig super-admin` creates it again.
type APIServer struct {
	// AuthorizedIPRanges are the addresses and CIDRs that can reach it in addition to the nodes.
	// Empty means all, or none if the API server is private. Outputs, such as the address of a NAT
	// gateway of the same program, are checked when they are known.
	AuthorizedIPRanges pulumi.StringArrayInput `pulumi:"authorizedIPRanges,optional"`
	// Private leaves the API server without a public address: the program itself must run where it
	// can reach the virtual network.
	Private bool `pulumi:"private,optional"`
	// Options are the options of the API servers themselves. They take effect when the cluster is
	// created; [bootstrap.APIServerOptions] documents which of them take effect later.
	Options bootstrap.APIServerOptions `pulumi:"options,optional"`
}

// Keys configures where the keys of a cluster come from, and which of them are in use.
//
// By default the first update generates a secret at random, and a resource of the stack stores it (NAME-keys-0, a
// [pulumi.Stash]). No later update, preview or refresh generates another one. The resource is protected unless
// [ClusterArgs.Unprotected] is set. It also has the day from which the authorities are valid for ten years, and
// fingerprints of the keys: a preview fails if a key differs from its fingerprint (MK666). If the keys must outlive the
// state, or come from a vault, set the secret ([Keys.Secrets]) or the pairs ([Key.Pairs]).
//
// The same secret and the same name of the cluster give the same keys (HKDF, RFC 5869; ECDSA P-256, signed as in
// RFC 6979). Two clusters with the same secret share no key, unless they have the same name. Renaming the stack changes
// nothing. A secret that you set is stretched (scrypt), so that each guess at it takes some tenths of a second and
// 128 MB.
//
// Five kinds of keys exist. Each kind has generations, numbered from 0, which are derived from different secrets. One
// of them signs. Three updates replace the one that signs: docs/leaked-keys.md has the steps. A Run Command of Azure
// brings the keys to the machines of the control plane, one after the other. A machine of a pool never gets other keys:
// if the authority of the cluster is replaced, the pools get other machines.
type Keys struct {
	// Secrets are the secrets that keys are derived from, one for each generation up to the last one
	// in use: at least 32 characters each, from `openssl rand -base64 32` for example. They are
	// marked secret if they are not already. By default the component generates each one at random
	// when its generation is first used, and stores it in a protected resource of the stack: set
	// them if the keys must outlive the state. The names of project, stack and cluster at that time
	// are a part of the keys, and stored there too: use the same names again, or keep an export of the
	// state. Each update stretches a configured secret (scrypt), which takes some tenths of a second.
	// The first one stays in use for the secret settings of the control plane's machines.
	Secrets []pulumi.StringInput `pulumi:"secrets,optional" provider:"secret"`

	// Cluster is the cluster's certificate authority. Machines of pools trust the generation that
	// signs and those that will sign later: a change of these replaces the machines.
	Cluster Key `pulumi:"cluster,optional"`
	// Etcd is the certificate authority of etcd.
	Etcd Key `pulumi:"etcd,optional"`
	// FrontProxy is the certificate authority of the API server as a client of aggregated API
	// servers.
	FrontProxy Key `pulumi:"frontProxy,optional"`
	// ServiceAccounts signs the tokens of service accounts, with ES256. For a federation that accepts
	// only RS256, set an RSA pair.
	ServiceAccounts Key `pulumi:"serviceAccounts,optional"`
	// Encryption is the key that encrypts Secrets in etcd. It cannot have pairs.
	Encryption Key `pulumi:"encryption,optional"`
}

// Key configures which generations of one kind of key are in use.
type Key struct {
	// Generation is the number of the generation that signs, or encrypts: from 0 to 99, 0 by
	// default. A generation must be trusted before it can sign.
	Generation int `pulumi:"generation,optional"`
	// Trusted are the other generations that are trusted, or that decrypt.
	Trusted []int `pulumi:"trusted,optional"`
	// Pairs are key pairs of your own, RSA or ECDSA. The component creates the keys of generations
	// without a pair from the secret.
	Pairs []KeyPair `pulumi:"pairs,optional"`
}

// KeyPair is a key pair of your own.
type KeyPair struct {
	// Generation is the number of the pair's generation. The generation must be in use.
	Generation int `pulumi:"generation,optional"`
	// Certificate is the certificate of an authority in PEM; for service accounts it is a PUBLIC
	// KEY block.
	Certificate pulumi.StringInput `pulumi:"certificate"`
	// PrivateKey is its private key in PEM, without a password. A pair that is only trusted does
	// not need one. It is marked secret if it is not already.
	PrivateKey pulumi.StringInput `pulumi:"privateKey,optional" provider:"secret"`
}

// LinuxAdmin is the administrator of the Linux machines. No port is open for administrators: reach
// a machine through Azure Bastion, its serial console, or a peered network that you let in with a
// rule of your own.
type LinuxAdmin struct {
	// Username defaults to [DefaultUsername].
	Username string `pulumi:"username,optional"`
	// SSHPublicKey is the public key for SSH, as in authorized_keys. Required, because there is no
	// password.
	SSHPublicKey pulumi.StringInput `pulumi:"sshPublicKey"`
}

// WindowsAdmin is the administrator of the Windows machines.
type WindowsAdmin struct {
	// Username has 1 to 20 characters; Azure refuses some common names. The default is
	// [DefaultUsername].
	Username string `pulumi:"username,optional"`
	// Password has 8 to 123 characters of at least three kinds: lower case, upper case, digits,
	// others. It is marked secret if it is not already. Existing machines keep their password.
	Password pulumi.StringInput `pulumi:"password,optional" provider:"secret"`
	// LicenseType is "Windows_Server" for machines that licenses of your own cover. By default you
	// pay for the license with the machine.
	LicenseType string `pulumi:"licenseType,optional"`
}

// DefaultUsername is the default name of an administrator.
const DefaultUsername = "azureuser"

// NodePoolArgs are the arguments of [NewNodePool].
type NodePoolArgs struct {
	// ResourceGroupName is the resource group that the machines are created in. Required.
	ResourceGroupName pulumi.StringInput `pulumi:"resourceGroupName"`

	// ClusterName is the prefix of the names of the resources in Azure, as in [ClusterArgs]. The
	// default is the name of the component.
	ClusterName string `pulumi:"clusterName,optional"`

	// Location is the Azure region. The default is the location of the resource group.
	Location pulumi.StringInput `pulumi:"location,optional"`

	// KubernetesVersion is the version of the cluster's control plane, "1.36". Required.
	KubernetesVersion string `pulumi:"kubernetesVersion"`

	// Pool is the pool, as in [ClusterArgs.Pools].
	Pool topology.Pool `pulumi:"pool"`

	// PoolOptions are options that a [topology.Pool] does not have.
	PoolOptions

	// SubnetID is the subnet of the machines. Required. Its security group must let in the ports in
	// [network.Defaulted.Ports], and it needs outbound access for the downloads.
	SubnetID pulumi.StringInput `pulumi:"subnetID"`

	// RouteTableName is the table that the machines' routes are added to, in the resource group of
	// the machines. Required for the kinds of networks that have routes.
	RouteTableName pulumi.StringInput `pulumi:"routeTableName,optional"`

	// Network describes the cluster's pod network. Its NodeCIDR is the range with the addresses of
	// all nodes, and is required. The component adds to its BlockedEgress as in [ClusterArgs].
	Network network.Network `pulumi:"network"`

	// PodsReachInstanceMetadata lets the pods of these machines reach the instance metadata
	// service, as in [ClusterArgs].
	PodsReachInstanceMetadata bool `pulumi:"podsReachInstanceMetadata,optional"`

	// Endpoint is the address at which the nodes reach the API server, host:port:
	// [Cluster.Endpoint] for example. Required.
	Endpoint pulumi.StringInput `pulumi:"endpoint"`

	// CACertificate is the certificate of the cluster's certificate authority in PEM: its
	// /etc/kubernetes/pki/ca.crt, or [Cluster.CACertificate]. Either it or CACertHashes is
	// required. A cluster of [NewCluster] needs it, because its API server does not let anonymous
	// users read the ConfigMap cluster-info.
	CACertificate pulumi.StringInput `pulumi:"caCertificate,optional"`

	// CACertHashes pin the cluster's certificate authority, as `kubeadm token create
	// --print-join-command` prints it. Use them for a cluster in which everyone can read the
	// ConfigMap cluster-info, as in the clusters that kubeadm creates by default.
	CACertHashes pulumi.StringArrayInput `pulumi:"caCertHashes,optional"`

	// Token is a bootstrap token that is valid while the machines join. Required. Change it before
	// you add machines: existing ones no longer need theirs.
	Token pulumi.StringInput `pulumi:"token" provider:"secret"`

	// LinuxAdmin is the administrator of the machines. A Linux pool requires it.
	LinuxAdmin LinuxAdmin `pulumi:"linuxAdmin,optional"`

	// WindowsAdmin is the administrator of the machines. A Windows pool requires it.
	WindowsAdmin WindowsAdmin `pulumi:"windowsAdmin,optional"`

	// Releases are the programs that the machines download, as in [ClusterArgs].
	Releases bootstrap.Releases `pulumi:"releases,optional"`

	// Tags are set on all resources in Azure.
	Tags pulumi.StringMapInput `pulumi:"tags,optional"`

	// Ignore lists the IDs of rules whose findings must not stop the program, as in [ClusterArgs].
	Ignore []string `pulumi:"ignore,optional"`
}
