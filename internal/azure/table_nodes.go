package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// nodeRules are about the number of nodes and of pods, upgrades, spot and labels.
var nodeRules = []preflight.Rule{
	{
		ID: "MK731", Severity: preflight.Error, Title: "maxPods outside of what Azure takes",
		Reason: "A node has room for 10 to 250 pods.",
		Source: sizesPage,
	},
	{
		ID: "MK732", Severity: preflight.Error, Title: "a number of nodes that Azure does not take",
		Reason: "A user pool has 0 to 1000 nodes, a system pool 1 to 1000.",
		Source: poolAPI,
	},
	{
		ID: "MK733", Severity: preflight.Error, Title: "no room for the nodes of an upgrade",
		Reason: "The nodes that an upgrade adds count: no more than 1000 together with those of the pool.",
		Source: upgradePage,
	},
	{
		ID: "MK734", Severity: preflight.Error, Title: "maxUnavailable on a system pool",
		Reason: "A system pool keeps all of its nodes in an upgrade: it takes new ones first.",
		Source: upgradePage,
	},
	{
		ID: "MK735", Severity: preflight.Error, Title: "an upgrade that can replace no node",
		Reason: "With no node more and no node less there is no way to replace one, and maxUnavailable is 0 by default.",
		Source: upgradePage,
	},
	{
		ID: "MK736", Severity: preflight.Error, Title: "a label that is Azure's own",
		Reason: "Labels that begin with kubernetes.azure.com/ are reserved, and Azure refuses them. (Those of kubernetes.io/ are refused for any cluster.)",
		Source: labelsPage,
	},
	{
		ID: "MK737", Severity: preflight.Error, Title: "a spot price with more than five decimals",
		Reason: "Azure takes prices of up to five decimals.",
		Source: spotPage,
	},
}
