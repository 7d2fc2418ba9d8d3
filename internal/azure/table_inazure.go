package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// inAzureRules are about what differs in Azure from what the program says, and that
// Pulumi cannot change.
var inAzureRules = []preflight.Rule{
	{
		ID: "MK795", Severity: preflight.Warning, Title: "the Windows profile of the cluster is another one",
		Reason: "azure-native would replace the cluster to change it. The Azure CLI changes password, licence and gMSA in place. For another password Azure restarts all Windows nodes, and for another licence it reimages them.",
		Source: windowsFAQPage + ", https://github.com/Azure/AKS/issues/3913",
	},
	{
		ID: "MK796", Severity: preflight.Warning, Title: "the pool that the cluster began with is still there",
		Reason: "Azure makes it with the cluster, so that it is no resource that Pulumi could remove.",
		Source: systemPoolsPage,
	},
	{
		ID: "MK797", Severity: preflight.Warning, Title: "the pool that the cluster began with has another version of Kubernetes",
		Reason: "Azure makes it with the cluster, and takes its version only together with those of all other pools, which are resources of their own.",
		Source: clusterAPI,
	},
}
