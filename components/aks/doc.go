// Package aks makes clusters with Linux and Windows nodes on Azure Kubernetes Service: a managed Linux control plane,
// and the pools of nodes that a [topology.Topology] describes.
//
// [NewCluster] makes a cluster with its pools, or takes over one that exists. [Existing] looks up a cluster that was
// made elsewhere, and [ExistingCluster.NewNodePool] makes a pool in it. If the cluster cannot be looked up,
// [NewNodePool] makes a pool by the names of the cluster. All of them check their arguments against the rules of AKS
// before they send anything to Azure, and report everything that is wrong at once: docs/rules/aks.md,
// docs/rules/aks-pools.md and docs/rules/aks-existing.md list the rules.
//
// # What changes in place
//
// The number of nodes, autoscaling, labels, taints, upgrade settings, mode and the version of Kubernetes change in
// place. Azure sets other properties only when it makes a pool: size, platform, maxPods, disk, zones, spot, outbound
// NAT, FIPS of Windows nodes, and the options in NEW_POOLS.md. A change of these makes a new pool, and removes the
// old one when the new one is there. The two need different names in Azure. So the name of a pool in Azure is the
// name in the program with a suffix of up to three characters, which is a hash of these properties: win22 becomes
// win22d. The name of a Windows pool has at most 6 characters in all.
//
// Two versions of a pool have the same suffix by chance once in 36 times if there is room for one character, once in
// 1296 times for two, and once in 46656 times for three. A name without room (6 characters for Windows, 12 for Linux)
// has no suffix. The change then fails with "cannot create already existing resource", and nothing is removed: give
// the pool another name in the program. Do the same for a property that is not part of the suffix: a subnet, or an
// option that is an output.
//
// If a pool has autoscaling, later changes of its number of nodes are ignored. Each other change of the pool sends
// the recorded number to Azure, and the autoscaler corrects it. Run `pulumi refresh` before you raise Min.
//
// Pulumi refuses to delete or to replace the cluster, unless [ClusterArgs.Unprotected] is set. azure-native replaces
// it for a change of [Network], except for subnets. It also replaces it for these fields of Options' NetworkProfile:
// the ranges of services and pods, the address of DNS, IP families, dataplane and network mode
// (https://github.com/pulumi/pulumi-azure-native/pull/4771). A field that the program leaves out, or gives as Azure
// has it, causes no change. Load balancer, NAT gateway and advanced networking change in place.
//
// # Existing clusters
//
// To take over a cluster that was made without this library, give an import, or an alias with the type of its
// resource, and give its pools [PoolOptions.NameInAzure]. What the program leaves out then stays as it is in Azure.
// docs/existing-clusters.md has programs, and says what stays.
//
// If an auto-upgrade channel (patch, stable or rapid) moves the version of Kubernetes, the program asks for the newer
// of its own version and Azure's, and MK778 says so.
//
// # The first system pool
//
// Azure makes a cluster together with a first pool, which is given inline. Later it takes no other pool that way.
// azure-native cannot adopt the first pool as a resource of its own, and sends the inline pools again with each
// change of the cluster. To keep the two from contradicting each other, the pool that the cluster began with, which
// is the first one of mode System, stays inline, and no other pool is inline. A change of this pool in place is a
// change of the cluster resource: Azure shows all pools as scaling for a moment, and changes one. If one of its
// immutable properties changes, the new version of the pool is a resource like all other pools, and the cluster sends
// no inline pools any more, which leaves those in Azure as they are.
//
// A tag of the cluster, mixedkube-first-pool, remembers which pool it is. [NewCluster] looks the cluster up in Azure,
// also in a preview, as soon as its resource group exists.
//
// Pulumi can neither remove that pool when the program has no use for it any more, nor give it another version of
// Kubernetes: Azure takes an inline version only together with the versions of all pools. With [ClusterArgs.AzureCLI]
// the program runs the commands that do both. Without it, a finding says which commands to run (MK796, MK797). The
// pool begins with the version of the cluster.
//
// `pulumi refresh` shows pools that were added later as a change of the cluster. The update that follows changes
// nothing in Azure.
//
// # The Windows administrator
//
// Azure can change the password, the licence and gMSA in place, but azure-native replaces a cluster whose Windows
// profile changes. So the cluster resource ignores changes of these three. The program makes them with the Azure CLI
// if [ClusterArgs.AzureCLI] is set. Otherwise a finding says which command to run (MK795). Azure never changes the
// user name.
//
// For another password Azure restarts all Windows nodes (https://learn.microsoft.com/azure/aks/windows-faq). For
// another licence it reimages them (https://github.com/Azure/AKS/issues/3913), and they pull all images again.
//
// azure-native sends the values that the cluster was made with again at each later change of the cluster. With
// AzureCLI the command follows each change that the program makes. Run it yourself without AzureCLI, and after a
// change that `pulumi refresh` led to. Once the password or the licence is not the first one any more, expect the
// Windows nodes to restart at each change of the cluster. Azure tells nobody the password, so the program cannot see
// whether you have run the command: silence MK795 with [ClusterArgs.Ignore].
//
// To notice another password, the state has a digest of the first one (PBKDF2). The first password itself stays in
// the state as a secret, because it is an input of the cluster resource. After a rotation it opens nothing, as soon
// as the command has followed the last change of the cluster.
//
// # The end of a Windows release
//
// From two years before the day on which AKS ends its support of the Windows release of a pool, a preview names the
// day and the pool to use instead (MK853). To repeat a preview of another day, set the environment variable
// SOURCE_DATE_EPOCH.
//
// # Retries
//
// AKS makes one change of a cluster or of its pools at a time. It refuses a second one with OperationNotAllowed or
// EtagMismatch, also while AKS runs an operation that it started itself, for example after it has made the cluster.
// azure-native and az give up then. The components have Pulumi retry after these two answers, and after no others,
// with an error hook. The log shows each retry, and [Retry] limits them. If Azure still refuses the last one, the
// update fails with Azure's answer. So pools are made, changed and removed in parallel, and Azure puts them in order.
//
// New pools in a virtual network of your own are made one after the other, because Azure accepts two of them and then
// fails one (SetVNetOwnershipFailed). A hook cannot retry that: Pulumi keeps the pool in its state, and the next
// `pulumi up` repairs it. A component does not know of other components: let [NewNodePool] depend on another one in
// the same virtual network.
//
// Error hooks run within the program:
//
//   - Pulumi before 3.217.0 has none. The log says so, and the pools of a [Cluster] or of an [ExistingCluster] are
//     made one after the other. Let a pool of [NewNodePool] depend on the one before. An operation of AKS's own can
//     still come in between: run `pulumi up` again.
//   - `pulumi destroy` does not run the program, so nothing is retried. Azure deletes a cluster with its pools even
//     while it is busy. If it refuses to delete a pool of [NewNodePool], run the command again, or run `pulumi
//     destroy --run-program`.
//   - If a component is no longer in the program, the deletion of its pools is not retried: run `pulumi up` again.
//
// # Access
//
// Without Options.AadProfile, [Cluster.Kubeconfig] is the client certificate of a cluster administrator: no sign-in
// protects it, and only a rotation of the cluster's certificates revokes it. With a profile, [Cluster.Kubeconfig] and
// [Cluster.Provider] sign in with kubelogin, which must be on the PATH of pulumi, in the way that [ClusterArgs.Login]
// chooses: docs/entra-id.md says what each way needs. The certificate of the administrator is still there, unless
// [APIServer.DisableLocalAccounts] is set (https://learn.microsoft.com/azure/aks/local-accounts). That is the default
// of AKS, so no rule warns of it.
//
// [Cluster.Kubeconfig] is a secret in state and output. While Pulumi runs, the provider of pulumi-kubernetes writes
// it into a file kubeconfig… of the temporary folder, which only its owner can read, and leaves the file there.
//
// Another login, and a rotation of the cluster's certificates, change the provider in place, and replace no resource
// of the cluster.
//
// # Testing
//
// Package [github.com/mixedkube/mixedkube/components/aks/akstest] stands in for Azure in unit tests.
package aks
