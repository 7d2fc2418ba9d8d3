// Package aks makes mixed clusters on Azure Kubernetes Service: a managed Linux
// control plane, and pools of Linux and Windows nodes that a [topology.Topology]
// describes.
//
// [NewCluster] makes a cluster with its pools, [NewNodePool] a pool in a cluster
// that was made elsewhere. Both check their arguments against the rules of AKS
// before anything is sent to Azure, and say all that is wrong at once: RULES.md
// lists the rules.
//
// # What changes in place, and what does not
//
// The number of nodes, autoscaling, labels, taints, upgrade settings, mode and the
// version of Kubernetes change in place. What Azure cannot change on a pool (size,
// platform, maxPods, disk, zones, spot, outbound NAT) makes a new pool, which is there
// before the old one goes. Azure names pools, so the two need different names: that
// of a pool is its own with a suffix of up to three characters, a hash of those
// fields, win22 → win22k. A Windows name has at most 6 characters in all.
//
// Two versions of a pool have the same suffix by chance once in 36 times if there is
// room for one character, once in 1296 for two, once in 46656 for three. A name
// without room (6 characters for Windows, 12 for Linux) has no suffix. Then Azure
// refuses the new pool, as the name is taken; nothing is removed. The way out is to
// give the pool another name in the program, which makes it another pool. So it is
// for a changed subnet, which is no part of the suffix, as it may be an output.
//
// The cluster itself is protected: Pulumi refuses to delete or to replace it, unless
// [ClusterArgs.Unprotected] is set.
//
// # The first system pool
//
// Azure makes a cluster together with a first pool, given inline, and takes no
// others that way later; azure-native cannot adopt that pool as a resource of its
// own, and sends the inline pools again with each change of the cluster. So that the
// two never say different things, the pool that the cluster began with (the first of
// mode System then) stays inline, and only it: a change in place is a change of the
// cluster resource (Azure shows all pools as scaling for a moment, and touches one).
// Where one of its immutable fields changes, the new version is a resource like all
// other pools, and the cluster sends no inline pools any more, which leaves those in
// Azure as they are. Which pool the cluster began with is remembered in the stack's
// state, in two resources of type pulumi:index:Stash.
//
// The old pool then is in Azure and in no resource. With [ClusterArgs.AzureCLI] the
// program removes it after the new ones are there; without, the preview says which
// command to run. Also, `pulumi refresh` shows pools that were added since as a
// change of the cluster; the update that follows changes nothing in Azure.
//
// # The Windows administrator
//
// azure-native replaces a cluster whose Windows profile changes, although Azure can
// change password, licence and gMSA in place. Changes of these three are
// ignored by the cluster resource, and made with the Azure CLI: by the program
// with [ClusterArgs.AzureCLI], or by you: the preview says which command to run. The
// user name can never be changed; Pulumi would have to replace the cluster, which is
// protected.
//
// azure-native sends what the cluster was made with again at each later change of the
// cluster. With AzureCLI the command follows each change; without it, run it again,
// or run `pulumi refresh` after it, for all but the password.
package aks
