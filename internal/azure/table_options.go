package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// optionRules are about what is passed through.
var optionRules = []preflight.Rule{
	{
		ID: "MK771", Severity: preflight.Error, Title: "an option of the cluster that has an argument of its own",
		Reason: "The component decides on it, from an argument that the rules look at.",
		Source: clusterAPI,
	},
	{
		ID: "MK772", Severity: preflight.Error, Title: "an option of a pool that has a field of its own",
		Reason: "The pool's description decides on it: the placement of workloads follows from the same description.",
		Source: poolAPI,
	},
	{
		ID: "MK773", Severity: preflight.Error, Title: "options for a pool that does not exist",
		Reason: "They would be ignored.",
		Source: poolAPI,
	},
	{
		ID: "MK774", Severity: preflight.Warning, Title: "a security profile of the pool that the cluster begins with",
		Reason: "Azure was seen to refuse it there, although its reference has it; other pools can have it.",
		Source: clusterAPI,
	},
}

// decided is an option, and the argument that stands for it.
type decided struct {
	option, argument string
}

// decidedForCluster has paths of arguments.
var decidedForCluster = []decided{
	{"agentPoolProfiles", "pools"},
	{"windowsProfile.adminUsername", "windowsAdmin.username"},
	{"windowsProfile.adminPassword", "windowsAdmin.password"},
	{"windowsProfile.licenseType", "windowsAdmin.licenseType"},
	{"windowsProfile.gmsaProfile", "windowsAdmin.gmsa"},
	{"kubernetesVersion", "kubernetesVersion"},
	{"resourceGroupName", "resourceGroupName"},
	{"resourceName", "clusterName"},
	{"location", "location"},
	{"tags", "tags"},
	{"identity", "identity"},
	{"apiServerAccessProfile.authorizedIPRanges", "apiServer.authorizedIPRanges"},
	{"apiServerAccessProfile.enablePrivateCluster", "apiServer.private"},
	{"apiServerAccessProfile.privateDNSZone", "apiServer.privateDNSZone"},
	{"disableLocalAccounts", "apiServer.disableLocalAccounts"},
	{"networkProfile.networkPluginMode", "network.mode"},
	{"networkProfile.networkPolicy", "network.policy"},
	{"networkProfile.outboundType", "network.outboundType"},
}

// decidedForPool has paths below that of the pool.
var decidedForPool = []decided{
	{"agentPoolName", "name"},
	{"count", "count"},
	{"minCount", "autoscaling.min"},
	{"maxCount", "autoscaling.max"},
	{"enableAutoScaling", "autoscaling"},
	{"vmSize", "size"},
	{"osType", "platform"},
	{"mode", "mode"},
	{"maxPods", "maxPods"},
	{"osDiskSizeGB", "osDiskSizeGB"},
	{"osDiskType", "osDiskType"},
	{"availabilityZones", "zones"},
	{"nodeLabels", "labels"},
	{"nodeTaints", "taints"},
	{"orchestratorVersion", "kubernetesVersion"},
	{"scaleSetPriority", "spot"},
	{"spotMaxPrice", "spotMaxPrice"},
	{"enableFIPS", "fips"},
	{"upgradeSettings.maxSurge", "upgrade.maxSurge"},
	{"upgradeSettings.maxUnavailable", "upgrade.maxUnavailable"},
	{"upgradeSettings.drainTimeoutInMinutes", "upgrade.drainTimeoutMinutes"},
	{"upgradeSettings.nodeSoakDurationInMinutes", "upgrade.nodeSoakMinutes"},
	{"windowsProfile.disableOutboundNat", "disableOutboundNAT"},
}

// decidedBesidePool has paths of the arguments beside the pool's options.
var decidedBesidePool = []decided{
	{"vnetSubnetID", "nodeSubnetID"},
	{"podSubnetID", "podSubnetID"},
}

// decidedAroundPool has paths of arguments.
var decidedAroundPool = []decided{
	{"resourceGroupName", "resourceGroupName"},
	{"resourceName", "clusterName"},
}
