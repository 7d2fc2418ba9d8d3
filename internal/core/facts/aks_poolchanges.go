package facts

import "slices"

// Effect is what AKS does with the nodes of an existing pool to change a property.
type Effect int

const (
	// NoEffect means that the pools do not have the property, or that no source says what happens.
	NoEffect Effect = iota
	// NewPool means that Azure takes the property only when it creates a pool.
	NewPool
	// KeepsNodes means that the nodes stay, except for those that another count adds or removes.
	KeepsNodes
	// Reimages means that each node gets another image.
	Reimages
	// Upgrades means that AKS adds nodes with the new value (maxSurge), drains the old ones, and removes them.
	Upgrades
	// Restarts means that AKS drains and restarts each node.
	Restarts
	// Stops means that AKS stops or starts the machines.
	Stops
)

// String returns the effect in the words of a table.
func (e Effect) String() string {
	return [...]string{
		"–", "a new pool", "in place", "new images", "new nodes", "restarted nodes", "stopped or started nodes",
	}[e]
}

// PoolChange is what a change of a property of an existing pool does.
type PoolChange struct {
	// Property is a property of a pool in Azure's API, or one below it with a dot.
	Property string
	// Linux and Windows are the effects on the pools of an operating system.
	Linux, Windows Effect
	Source         string
}

// PreviewChange is a change of a pool that AKS makes only in a preview. It is not generally available, so it does not
// count unless a program asks for it.
type PreviewChange struct {
	// Property is a property that needs a new pool without the preview.
	Property string
	Effect   Effect
	// OnlyWindows limits it to Windows pools.
	OnlyWindows bool
	// From is the only value that changes. It is empty if others do.
	From string
	// Feature must be registered in the subscription. It is empty if no source names one.
	Feature string
	// API is the first version of the API that has it. It is empty if no source names one.
	API string
	// Limits are the changes that AKS refuses nevertheless.
	Limits []string
	Source string
}

//facts:none the addresses of sources
const (
	aksDocs = "https://learn.microsoft.com/azure/aks/"
	// createOrUpdate is the reference of the API for pools.
	createOrUpdate = "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update"
	// capzWebhook refuses the same changes of a pool of AKS as Azure.
	capzWebhook = "https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/main/internal/webhooks/" +
		"azuremanagedmachinepool_webhook.go"
	// azurermPool replaces a pool if Azure does not change it.
	azurermPool = "https://github.com/hashicorp/terraform-provider-azurerm/blob/main/internal/services/containers/" +
		"kubernetes_cluster_node_pool_resource.go"
	// azurermFirstPool does the same for the pool that a cluster begins with.
	azurermFirstPool = "https://github.com/hashicorp/terraform-provider-azurerm/blob/main/internal/services/" +
		"containers/kubernetes_nodepool.go"
	// azurermMessage is the review in which the same provider begins to replace the pool when the message changes,
	// because Azure cannot change it.
	azurermMessage = "https://github.com/hashicorp/terraform-provider-azurerm/pull/16741"
	// apiMutability lists the properties that the specification of the API marks as settable only at creation.
	apiMutability = "https://github.com/pulumi/pulumi-azure-native/pull/4771"
)

// AKSPoolChanges are the changes of pools that are generally available.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/manage-node-pools
//facts:seen 2026-08-21 https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update
//facts:seen 2026-08-19 https://github.com/kubernetes-sigs/cluster-api-provider-azure/tree/main/internal/webhooks
//facts:seen 2026-08-21 https://github.com/hashicorp/terraform-provider-azurerm/tree/main/internal/services/containers
var AKSPoolChanges = []PoolChange{
	{"availabilityZones", NewPool, NewPool, capzWebhook},
	{"capacityReservationGroupID", NewPool, NewPool, azurermPool},
	{"count", KeepsNodes, KeepsNodes, aksDocs + "scale-node-pools"},
	{"creationData", Upgrades, Upgrades, aksDocs + "node-pool-snapshot#upgrading-a-node-pool-to-a-snapshot"},
	{"enableAutoScaling", KeepsNodes, KeepsNodes, aksDocs + "cluster-autoscaler"},
	{"enableEncryptionAtHost", NewPool, NewPool, aksDocs + "enable-host-encryption"},
	{"enableFIPS", Reimages, NewPool, aksDocs + "enable-fips-nodes"},
	{"enableNodePublicIP", NewPool, NewPool, capzWebhook},
	{"enableUltraSSD", NewPool, NewPool, aksDocs + "use-ultra-disks"},
	{"gpuInstanceProfile", NewPool, NewPool, apiMutability},
	{"gpuProfile.driver", NewPool, NewPool, azurermPool},
	{"hostGroupID", NewPool, NewPool, createOrUpdate},
	{"kubeletConfig", NewPool, NewPool, capzWebhook},
	{"kubeletDiskType", NewPool, NewPool, capzWebhook},
	{"linuxOSConfig", NewPool, NewPool, capzWebhook},
	{"localDNSProfile", Reimages, NoEffect, aksDocs + "localdns-custom"},
	{"maxCount", KeepsNodes, KeepsNodes, aksDocs + "cluster-autoscaler"},
	{"maxPods", NewPool, NewPool, capzWebhook},
	{"messageOfTheDay", NewPool, NewPool, azurermMessage},
	{"minCount", KeepsNodes, KeepsNodes, aksDocs + "cluster-autoscaler"},
	{"mode", KeepsNodes, KeepsNodes, aksDocs + "use-system-pools"},
	{"networkProfile.allowedHostPorts", KeepsNodes, KeepsNodes, aksDocs + "use-node-public-ips"},
	{"networkProfile.applicationSecurityGroups", KeepsNodes, KeepsNodes, aksDocs + "use-node-public-ips"},
	{"networkProfile.nodePublicIPTags", NewPool, NewPool, apiMutability},
	{"nodeLabels", KeepsNodes, KeepsNodes, aksDocs + "use-labels#updating-labels-on-existing-node-pools"},
	{"nodePublicIPPrefixID", NewPool, NewPool, capzWebhook},
	{"nodeTaints", KeepsNodes, KeepsNodes, aksDocs + "use-node-taints#update-a-node-pool-to-add-a-node-taint"},
	{"orchestratorVersion", Upgrades, Upgrades, aksDocs + "upgrade-aks-node-pools-rolling"},
	{"osDiskSizeGB", NewPool, NewPool, capzWebhook},
	{"osDiskType", NewPool, NewPool, createOrUpdate},
	{"osSKU", Reimages, NewPool, aksDocs + "upgrade-os-version#update-os-sku-on-an-existing-node-pool"},
	{"osType", NewPool, NewPool, aksDocs + "create-node-pools"},
	{"podIPAllocationMode", NewPool, NewPool, aksDocs + "configure-azure-cni-static-block-allocation"},
	{"podSubnetID", NewPool, NewPool, azurermPool},
	{"powerState", Stops, Stops, aksDocs + "start-stop-nodepools"},
	{"proximityPlacementGroupID", NewPool, NewPool, azurermPool},
	{"scaleDownMode", KeepsNodes, KeepsNodes, aksDocs + "scale-down-mode"},
	{"scaleSetEvictionPolicy", NewPool, NewPool, azurermPool},
	{"scaleSetPriority", NewPool, NewPool, aksDocs + "spot-node-pool"},
	{"securityProfile.enableSecureBoot", Reimages, NoEffect, aksDocs + "use-trusted-launch"},
	{"securityProfile.enableVTPM", Reimages, NoEffect, aksDocs + "use-trusted-launch"},
	{"spotMaxPrice", NewPool, NewPool, aksDocs + "spot-node-pool"},
	{"tags", KeepsNodes, KeepsNodes, aksDocs + "use-tags"},
	{"type", NewPool, NewPool, azurermFirstPool},
	{"upgradeSettings", KeepsNodes, KeepsNodes, aksDocs + "upgrade-aks-node-pools-rolling"},
	{"virtualMachinesProfile", KeepsNodes, KeepsNodes, aksDocs + "virtual-machines-node-pools"},
	{"vmSize", NewPool, NewPool, aksDocs + "create-node-pools"},
	{"vnetSubnetID", NewPool, NewPool, capzWebhook},
	{"windowsProfile", NewPool, NewPool, azurermPool},
}

// AKSPoolChangeOf returns the change of a property. It is the zero value if the table does not have the property.
func AKSPoolChangeOf(property string) PoolChange {
	i := slices.IndexFunc(AKSPoolChanges, func(c PoolChange) bool { return c.Property == property })
	if i < 0 {
		return PoolChange{}
	}
	return AKSPoolChanges[i]
}

// AKSPreviewChanges are the changes of pools that are in preview.
//
//facts:seen 2026-09-11 https://github.com/Azure/AKS/issues/5839
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/resize-node-pool
//facts:seen 2026-08-26 https://github.com/Azure/azure-cli-extensions/pull/10255
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/use-capacity-reservation-groups
var AKSPreviewChanges = []PreviewChange{
	{
		Property: "vmSize", Effect: Upgrades, Feature: "Microsoft.ContainerService/AgentPoolVMSSResize",
		API: "2026-01-02-preview", Source: aksDocs + "resize-node-pool#resize-a-vmss-node-pool-in-place-preview",
		Limits: []string{
			"another disk controller type", "another CPU architecture", "with or without confidential computing",
			"another hypervisor generation", "together with another version of Kubernetes",
			"together with another count", "with maxSurge 0",
		},
	},
	{
		Property: "osSKU", OnlyWindows: true, From: "Windows2022",
		Source: "https://github.com/Azure/azure-cli-extensions/pull/10255",
		Limits: []string{"any change but Windows2022 to Windows2025", "without FIPS"},
	},
	{
		Property: "capacityReservationGroupID", Effect: Restarts,
		Source: aksDocs + "use-capacity-reservation-groups",
		Limits: []string{"a pool without zones that has nodes"},
	},
}
