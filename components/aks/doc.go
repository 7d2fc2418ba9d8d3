// Package aks creates clusters with Linux and Windows nodes on Azure Kubernetes Service: a managed Linux control plane,
// and the node pools of a [topology.Topology].
//
// It has three components:
//
//   - [Cluster], created by [NewCluster]: a cluster with its pools. It can take over an existing cluster.
//   - [ExistingCluster], returned by [Existing]: a cluster that another program or tool created.
//     [ExistingCluster.NewNodePool] adds a pool to it.
//   - [NodePool], created by [NewNodePool]: a pool of a cluster that cannot be looked up. It needs only the names of
//     the cluster.
//
// All of them check their arguments before they send anything to Azure, and report all errors at once. The rules are in
// docs/rules/aks.md, docs/rules/aks-pools.md and docs/rules/aks-existing.md.
//
// # Where the code is
//
// This package registers resources. Rules and decisions, which need neither Pulumi nor Azure, belong in package plan.
//
//	args.go, login.go, options.go            arguments, and the options that reach child resources
//	cluster.go, check.go                     NewCluster: defaults, checks, outputs
//	construction.go, managedcluster.go       the resources of a cluster
//	agentpool.go, inlinepool.go, nodepool.go pools
//	existingcluster.go, existingpool.go      Existing, and pools in an existing cluster
//	existing.go, takeover.go                 looks a cluster up, and completes the arguments from it
//	firstpool.go, windowsadmin.go            changes that only the Azure CLI can make
//	kubeconfig.go                            the kubeconfig and the provider
//	retry.go                                 retries
//	plan/                                    rules and decisions
//	akstest/                                 stands in for Azure in unit tests
//
// # What changes in place
//
// The number of nodes, autoscaling, labels, taints, upgrade settings, mode and the version of Kubernetes change in
// place. Azure sets other properties only when it creates a pool: size, platform, maxPods, disk, zones, spot, outbound
// NAT, FIPS of Windows nodes, and the options in POOL_CHANGES.md. A change of these creates a new pool and then removes
// the old one. The two need different names in Azure, so the name has a suffix of up to three characters, a hash of
// these properties: win22 becomes win22d. The name of a Windows pool has at most 6 characters in all, of a Linux pool
// 12. If two versions of a pool have the same name, the change fails with "cannot create already existing resource",
// and nothing is removed: give the pool another name in the program. This happens
//
//   - by chance, once in 36 times if there is room for one character, once in 1296 times for two, and once in 46656
//     times for three;
//   - if the name has no room for a suffix;
//   - if you change a property that is not part of the suffix: a subnet, or an option that is an output.
//
// In previews of AKS, a pool with [PoolOptions.NameInAzure] changes its size, and Windows Server 2022 to 2025, in place:
// see [PoolOptions.Change]. Objects of the cluster do not wait for that.
//
// If a pool has autoscaling, later changes of its number of nodes are ignored. Each other change of the pool sends
// the recorded number to Azure, and the autoscaler corrects it. Run `pulumi refresh` before you raise Min.
//
// Pulumi refuses to delete or replace the cluster unless [ClusterArgs.Unprotected] is set. azure-native replaces it for
// a change of [Network], except for subnets, and of these fields of Options' NetworkProfile: the ranges of services
// and pods, the address of DNS, IP families, dataplane and network mode
// (https://github.com/pulumi/pulumi-azure-native/pull/4771). A field that the program leaves out, or sets to its value
// in Azure, causes no change. Load balancer, NAT gateway and advanced networking change in place.
//
// [ClusterPool] describes the changes of the first system pool, and [WindowsAdmin] those of the Windows profile. Pulumi
// cannot make some of them. With [ClusterArgs.AzureCLI] the program runs commands that do. Without it, findings name
// the commands (MK795, MK796, MK797). [Retry] describes how changes wait for each other.
//
// # Existing clusters
//
// To take over a cluster that was created without this library, use an import, or an alias with the type of its
// resource, and set [PoolOptions.NameInAzure] for its pools. Settings that the program leaves out keep their values in
// Azure. docs/existing-clusters.md has programs and lists these settings.
//
// If an auto-upgrade channel (patch, stable or rapid) moves the version of Kubernetes, the program requests the newer
// of its own version and Azure's, and MK778 reports it.
//
// Two years before AKS ends its support of the Windows release of a pool, previews begin to name the day and the pool
// to use instead (MK853). To repeat a preview of another day, set the environment variable SOURCE_DATE_EPOCH.
//
// # Access
//
// Without Options.AadProfile, [Cluster.Kubeconfig] is the client certificate of a cluster administrator: no sign-in
// protects it, and only a rotation of the cluster's certificates revokes it. With a profile, [Cluster.Kubeconfig] and
// [Cluster.Provider] sign in with kubelogin, which must be on the PATH of pulumi, in the mode of [ClusterArgs.Login]:
// docs/entra-id.md describes the modes. The certificate of the administrator still exists unless
// [APIServer.DisableLocalAccounts] is set (https://learn.microsoft.com/azure/aks/local-accounts). That is the default
// of AKS, so no rule warns of it. Another login, and a rotation of the cluster's certificates, change the provider in
// place, and replace no resource of the cluster.
//
// While Pulumi runs, the provider of pulumi-kubernetes writes the kubeconfig into a file kubeconfig… of the temporary
// directory, which only its owner can read, and leaves the file there.
package aks
