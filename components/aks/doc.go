// Package aks makes mixed clusters on Azure Kubernetes Service: a managed Linux
// control plane, and pools of Linux and Windows nodes that a [topology.Topology]
// describes.
//
// [NewCluster] makes a cluster with its pools, or takes one over. [Existing] looks up a cluster
// that was made elsewhere, and [ExistingCluster.NewNodePool] makes a pool in it; [NewNodePool] does so
// by the names of a cluster that cannot be looked up. All check their arguments against the rules of AKS
// before anything is sent to Azure, and say all that is wrong at once: RULES.md
// lists the rules.
//
// # What changes in place, and what does not
//
// The number of nodes, autoscaling, labels, taints, upgrade settings, mode and the
// version of Kubernetes change in place. What Azure takes only when a pool is made (size,
// platform, maxPods, disk, zones, spot, outbound NAT, FIPS of Windows nodes, and options
// such as EnableEncryptionAtHost: NEW_POOLS.md lists all) makes a new pool, which is
// there before the old one goes. Azure names pools, so the two need different names: that
// of a pool is its own with a suffix of up to three characters, a hash of those
// properties, win22 → win22d. A Windows name has at most 6 characters in all.
//
// Two versions of a pool have the same suffix by chance once in 36 times if there is
// room for one character, once in 1296 for two, once in 46656 for three. A name
// without room (6 characters for Windows, 12 for Linux) has no suffix. Then the change
// fails with "cannot create already existing resource", and nothing is removed. The
// way out is to give the pool another name in the program, which makes it another
// pool. So it is for what is not part of the suffix: a subnet, and an option that is an
// output.
//
// Of a pool with autoscaling the number of nodes is ignored after the beginning. Azure
// is told the recorded number at each other change of the pool, and the autoscaler
// corrects it: run `pulumi refresh` before you raise Min.
//
// The cluster itself is protected: Pulumi refuses to delete or to replace it, unless
// [ClusterArgs.Unprotected] is set. azure-native replaces it for a change of [Network],
// except for subnets, and for these of Options' NetworkProfile: the ranges of services and
// pods, the address of DNS, IP families, dataplane and network mode
// (https://github.com/pulumi/pulumi-azure-native/pull/4771). What the program says of them as
// Azure has it, or leaves out, stays as it is. Load balancer, NAT gateway and advanced networking
// change in place.
//
// # Clusters and pools that are there
//
// A cluster that was made without this library is taken over with an import, or with an alias of the
// type of its resource, and its pools with [PoolOptions.NameInAzure]. A tag of the cluster,
// mixedkube-taken-over, remembers it: what the program leaves out of such a cluster stays as it is in
// Azure, and so does what it leaves out of a pool with NameInAzure. The other system pools than the
// one that stays inline, and all user pools, are resources with an import or an alias of their own.
// Rules about what the program leaves out look at what Azure has: where a pool has NameInAzure, they
// wait until the cluster is looked up.
// docs/existing-clusters.md has programs.
//
// With an auto-upgrade channel that moves versions of Kubernetes (patch, stable, rapid) the newer
// version of the program's and of Azure's is asked for: MK778 says so.
//
// # The first system pool
//
// Azure makes a cluster together with a first pool, given inline, and takes no others
// that way later; azure-native cannot adopt that pool as a resource of its own, and
// sends the inline pools again with each change of the cluster. So that the two never
// say different things, the pool that the cluster began with (the first of mode System
// then) stays inline, and only it: a change in place is a change of the cluster
// resource (Azure shows all pools as scaling for a moment, and touches one). Where one
// of its immutable fields changes, the new version is a resource like all other pools,
// and the cluster sends no inline pools any more, which leaves those in Azure as they
// are.
//
// Which pool that is, a tag of the cluster remembers, mixedkube-first-pool; [NewCluster]
// looks the cluster up in Azure, in a preview too, once its resource group is there. Of a cluster
// that is taken over it is the system pool with NameInAzure that has neither an import nor an alias.
//
// Two things are left that Pulumi cannot do: to remove that pool when the program has
// left it, and to give it another version of Kubernetes, which Azure takes inline only
// together with those of all pools. With [ClusterArgs.AzureCLI] the program does both
// with commands; without, it says which to run (MK796, MK797). It begins with the
// version of the cluster.
//
// `pulumi refresh` shows pools that were added since as a change of the cluster; the
// update that follows changes nothing in Azure.
//
// # The Windows administrator
//
// azure-native replaces a cluster whose Windows profile changes, although Azure can
// change password, licence and gMSA in place. Changes of these three are ignored by the
// cluster resource, and made with the Azure CLI: by the program with
// [ClusterArgs.AzureCLI], or by you: the program says which command to run (MK795). The
// user name can never be changed; Pulumi would have to replace the cluster, which is
// protected.
//
// Azure restarts all Windows nodes for another password
// (https://learn.microsoft.com/azure/aks/windows-faq), and reimages them for another
// licence (https://github.com/Azure/AKS/issues/3913): images of containers are pulled
// again.
//
// azure-native sends what the cluster was made with again at each later change of the
// cluster. With AzureCLI the command follows each change that the program makes; after
// one that `pulumi refresh` led to, or without AzureCLI, run it again. So expect the
// Windows nodes to restart at each of them, once password or licence are not the first
// any more. Azure tells no password, so that the program cannot see whether you have run
// the command: silence MK795 with [ClusterArgs.Ignore].
//
// To notice another password, the state keeps a digest of the first one (PBKDF2), and not
// the password. As an input of the cluster resource the first password does stay in the
// state, as a secret: azure-native sends it, and would replace the cluster for another one.
// After a rotation it opens nothing, as soon as the command has followed the last change of
// the cluster.
//
// # When a Windows release ends
//
// A preview says by which day AKS ends its support of the Windows release of a pool, from two
// years before (MK853), and which pool takes its place. The day of the check is today's, or that of
// the environment variable SOURCE_DATE_EPOCH where a preview is to be repeated.
//
// # When Azure is busy
//
// AKS makes one change of a cluster or its pools at a time. It refuses a second one with
// OperationNotAllowed or EtagMismatch, also while an operation runs that AKS started itself,
// for example after the cluster's creation. azure-native and az then give up. The components
// have Pulumi retry after these answers, and after no others, with an error hook. Each retry
// is logged, and [Retry] limits them. What is still refused at the end fails with Azure's
// answer. So pools are made, changed and removed in parallel, and Azure puts them in order.
//
// New pools in a virtual network of your own are made one after the other, because Azure
// accepts two of them and then fails one (SetVNetOwnershipFailed). A hook cannot retry that:
// Pulumi keeps the pool in its state, and the next `pulumi up` repairs it. Components know
// nothing of each other: let [NewNodePool] depend on another one in the same virtual network.
//
// Error hooks run within the program:
//
//   - Pulumi before 3.217.0 has none. The log says so, and the pools of a [Cluster], and those of an
//     [ExistingCluster], are made one after the other. Let a pool of [NewNodePool] depend on the one
//     before. An operation of AKS's own can still come in between: run `pulumi up` again.
//   - `pulumi destroy` does not run the program, so nothing is retried. Azure deletes a
//     cluster with its pools even while it is busy. If it refuses to delete a pool of
//     [NewNodePool], run the command again, or run `pulumi destroy --run-program`.
//   - If a component is no longer in the program, the deletion of its pools is not retried:
//     run `pulumi up` again.
//
// # The kubeconfig
//
// Without Options.AadProfile, [Cluster.Kubeconfig] is the client certificate of a cluster
// administrator: no sign-in protects it, and only a rotation of the cluster's certificates
// revokes it. With a profile it signs in with kubelogin (below), and the administrator's
// certificate is still there beside it, unless [APIServer.DisableLocalAccounts] is set
// (https://learn.microsoft.com/azure/aks/local-accounts). No rule warns of it: it is the
// default of AKS and of nearly every cluster that is made.
//
// [Cluster.Kubeconfig] is a secret in state and output. While Pulumi runs, the provider
// of pulumi-kubernetes writes what it was given into a file kubeconfig… of the temporary
// folder, which only its owner can read, and leaves it there.
//
// # Microsoft Entra ID
//
// Where Options.AadProfile is given, [Cluster.Provider] and [Cluster.Kubeconfig] call kubelogin
// (https://azure.github.io/kubelogin/), which must be on the PATH of pulumi. Azure's own kubeconfig
// has it wait for a person with a browser. [ClusterArgs.Login] chooses another way, by default
// [LoginAzureCLI]: whom az is logged in as. The command is written as
// `kubelogin convert-kubeconfig` does. Secrets stay in the environment of pulumi, where kubelogin
// finds them: AZURE_CLIENT_SECRET for [LoginServicePrincipal], for example. docs/entra-id.md has
// what each mode needs.
//
// [LoginAdmin] does not use kubelogin: both are the local administrator's client certificate,
// which local accounts have to be on for.
//
// Another login, and a rotation of the cluster's certificates, change the provider in place: it is
// known by the resource ID of the cluster, and not by its kubeconfig. No resource of the cluster is
// replaced.
//
// # Testing
//
// Package [github.com/mixedkube/mixedkube/components/aks/akstest] stands in for Azure in
// unit tests.
package aks
