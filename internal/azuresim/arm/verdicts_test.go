//nolint:lll // The keys are whole answers.
package arm

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// verdicts classifies the refusals of requests for clusters and pools, by their keys.
var verdicts = map[string]verdict{
	// Clusters.
	"putCluster: Required parameter properties is missing (null).": unsent(always),
	"putCluster: Changing property '…' is not allowed.": needsState(
		"what the cluster has; azure-native shows a replacement, which protection refuses"),
	"putCluster: OIDC issuer feature cannot be disabled.": needsState("whether the cluster has the issuer"),
	"poolsOf: Required parameter agentPoolProfile.name is missing (null).": found("topology",
		sys(func(p *topology.Pool) { p.Name = "" }), inCluster(map[string]any{"agentPoolProfiles": firstPool(
			map[string]any{"name": nil})})),
	"poolsOf: agentPoolProfile.name: there are two agent pools '…'": found("topology",
		win(func(p *topology.Pool) { p.Name = "system" }),
		inCluster(map[string]any{"agentPoolProfiles": append(firstPool(nil), firstPool(nil)...)})),
	"checkPoolList: Required parameter agentPoolProfiles is missing (null).": found("MK704",
		func(c *plan.Cluster) { c.Topology.Pools = nil }, inCluster(map[string]any{"agentPoolProfiles": nil})),
	"checkPoolList: Must define at least one system pool.": found("MK704",
		sys(func(p *topology.Pool) { p.Mode = topology.User }),
		inCluster(map[string]any{"agentPoolProfiles": firstPool(map[string]any{"mode": "User"})})),
	"checkKnownPools: A new agent pool was introduced. Adding agent pools to an existing cluster is not allowed " +
		"through " +
		"managed cluster operations. For agent pool specific change, please use per agent pool operations: " +
		"https://aka.ms/agent-pool-rest-api": unsent("other pools than the first one are resources of their own"),
	"checkPoolVersions: Using managed cluster api, all Agent pools' OrchestratorVersion must be all specified or all " +
		"unspecified. If all specified, they must be stay unchanged or the same with control plane. For agent pool " +
		"specific change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api": unsent(
		"the first pool is sent without a version"),
	"fillCluster: Required parameter dnsPrefix is missing (null).": unsent(always),
	"checkClusterName: resourceName: the name '…' has to have 1 to 63 letters, digits, hyphens and underscores, " +
		"with a " +
		"letter or digit at both ends": found("MK709", func(c *plan.Cluster) { c.Name = "-shop" },
		put(groupID+"/providers/Microsoft.ContainerService/managedClusters/-shop", clusterBody(nil))),
	"reservedName: name: \"…\" managed cluster name is invalid ….": found("MK718",
		func(c *plan.Cluster) { c.Name = "windows-shop" },
		put(groupID+"/providers/Microsoft.ContainerService/managedClusters/windows-shop", clusterBody(nil))),
	"checkNodeGroup: The length of the node resource group name is too long. The maximum length is … and the length " +
		"of the " +
		"value provided is …. Please see https://aka.ms/aks-naming-rules for more details.": found("MK719",
		clusterOptions(map[string]any{"nodeResourceGroup": longName + longName + longName + longName}),
		inCluster(map[string]any{"nodeResourceGroup": longName + longName + longName + longName})),
	"checkNodeGroup: The node resource group '…' is the resource group of the managed cluster.": found("MK720",
		clusterOptions(map[string]any{"nodeResourceGroup": "rg"}), inCluster(map[string]any{"nodeResourceGroup": "rg"})),
	"checkNodeGroup: The node resource group '…' already exists.":  needsState("whether the group exists"),
	"checkNodeGroup: The node resource group '…' is managed by ….": needsState("whose group it is"),

	// The network, the API server and the identity of a cluster.
	"checkNetworkProfile: networkProfile.networkPluginMode: the mode 'overlay' needs the network plugin 'azure'": found(
		"MK722", plugin("kubenet"), inCluster(map[string]any{
			"networkProfile.networkPlugin": "kubenet", "networkProfile.networkPluginMode": "overlay",
		})),
	"checkNetworkProfile: networkProfile.networkDataplane: the dataplane '…' needs the network plugin 'azure'": found(
		"MK722 MK723", clusterOptions(map[string]any{"networkProfile": map[string]any{
			"networkPlugin": "kubenet", "networkDataplane": "cilium",
		}}), inCluster(map[string]any{
			"networkProfile.networkPlugin": "kubenet", "networkProfile.networkPluginMode": nil,
			"networkProfile.networkDataplane": "cilium",
		})),
	"checkNetworkProfile: networkProfile.networkPolicy: the network policy 'cilium' needs the dataplane 'cilium'": found(
		"MK787", func(c *plan.Cluster) { c.Network.Policy = plan.CiliumPolicy },
		inCluster(map[string]any{"networkProfile.networkPolicy": "cilium"})),
	"checkNetworkProfile: The network policy 'azure' is not supported with the network plugin 'kubenet'.": found(
		"MK722",
		func(c *plan.Cluster) { plugin("kubenet")(c); c.Network.Policy = plan.AzurePolicy }, inCluster(map[string]any{
			"networkProfile.networkPlugin": "kubenet", "networkProfile.networkPluginMode": nil,
			"networkProfile.networkPolicy": "azure",
		})),
	"checkNetworkProfile: networkProfile.networkPolicy: the network policy 'azure' needs the network plugin 'azure'": found(
		"MK722", func(c *plan.Cluster) { plugin("none")(c); c.Network.Policy = plan.AzurePolicy },
		inCluster(map[string]any{
			"networkProfile.networkPlugin": "none", "networkProfile.networkPluginMode": nil,
			"networkProfile.networkPolicy": "azure",
		})),
	"checkNetworkProfile: networkProfile.serviceCidr: '…' is not a valid range of addresses": found("MK788",
		services("10.0.0.0", ""), inCluster(map[string]any{"networkProfile.serviceCidr": "10.0.0.0"})),
	"checkNetworkProfile: The DNS service IP '…' is not a valid IP address.": found("MK788",
		services("", "ten"), inCluster(map[string]any{"networkProfile.dnsServiceIP": "ten"})),
	"checkNetworkProfile: The DNS service IP … is out of the range defined by service CIDR ….": found("MK788",
		services("10.1.0.0/16", "10.2.0.10"), inCluster(map[string]any{
			"networkProfile.serviceCidr": "10.1.0.0/16", "networkProfile.dnsServiceIP": "10.2.0.10",
		})),
	"checkAPIServer: …: authorized IP ranges are not supported for private clusters": found("MK761",
		func(c *plan.Cluster) {
			c.APIServer = plan.APIServer{Private: true, AuthorizedIPRanges: []string{"203.0.113.0/24"}}
		}, inCluster(map[string]any{
			"apiServerAccessProfile.enablePrivateCluster": true,
			"apiServerAccessProfile.authorizedIPRanges":   []any{"203.0.113.0/24"},
		})),
	"checkAPIServer: …: '…' is neither an address nor a range of addresses": found("MK762",
		func(c *plan.Cluster) { c.APIServer.AuthorizedIPRanges = []string{"office"} },
		inCluster(map[string]any{"apiServerAccessProfile.authorizedIPRanges": []any{"office"}})),
	"checkAccounts: disableLocalAccounts: local accounts can only be disabled on clusters with managed AAD": found(
		"MK763",
		func(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true },
		inCluster(map[string]any{"disableLocalAccounts": true})),
	"checkGMSA: windowsProfile.gmsaProfile: dnsServer and rootDomainName have to be set together, or neither of " +
		"them": found(
		"MK758", func(c *plan.Cluster) { c.WindowsAdmin.GMSA = plan.GMSA{Enabled: true, DNSServer: "10.0.0.4"} },
		inCluster(map[string]any{"windowsProfile.gmsaProfile": Body{"enabled": true, "dnsServer": "10.0.0.4"}})),
	"checkPrivateZone: …: '…' is neither 'system' nor 'none' nor the ID of a private DNS zone": found("MK760",
		func(c *plan.Cluster) { c.APIServer = plan.APIServer{Private: true, PrivateDNSZone: "shop.azmk8s.io"} },
		inCluster(privateZone("shop.azmk8s.io"))),
	"checkPrivateZone: System-assigned managed identity not supported for custom resource …. Please use " +
		"user-assigned " +
		"managed identity.": found("MK776",
		func(c *plan.Cluster) { c.APIServer = plan.APIServer{Private: true, PrivateDNSZone: aDNSZone} },
		inCluster(privateZone(aDNSZone))),
	"checkIdentity: Required parameter servicePrincipalProfile.clientId is missing (null).": unsent(
		"the cluster always gets a managed identity"),
	"checkIdentity: Invalid value for the identities '' detected. The 'UserAssigned' identity type requires at " +
		"least one " +
		"user assigned identity.": unsent("the type follows from the identity"),
	"checkIdentity: Identity operation for resource '…' failed with error 'Failed to perform resource identity " +
		"operation. Status: 'NotFound'. Resource '…' was not found.'.": needsState(
		"whether the identity exists; MK760 reports what is not its ID"),

	// Credentials, faults, groups and IDs.
	"credentials: The action '…' of the type '…' could not be found.": unsent("the component gets credentials only"),
	"credentials: Getting static credential is not allowed because this cluster is set to disable local accounts.": declared(
		"MK765"),
	"credentials: The cluster has no kubeconfig.":      needsState(ownFailure),
	"credentials: The kubeconfig could not be read: …": needsState(ownFailure),
	"before: Cannot modify extensions in the VM when the VM is not running.": unsent("a fault for virtual " +
		"machines"),
	"before: The server encountered an internal error. Please retry the request.": needsState(ownFailure),
	"throttled: The request is being throttled as the limit has been reached for this operation. Retry after 1 " +
		"second.": needsState(
		"how many requests others send"),
	"putGroup: Invalid resource group location '…'. The Resource group already exists in location '…'.": needsState(
		"where the group is"),
	"needLocation: The location property is required for this definition.": notYet(
		"the region may be in the configuration of azure-native, which a component does not see"),
	"placed: The resource '…' already exists in location '…' in resource group '…'. A resource with the same name " +
		"cannot be " +
		"created in location '…'. Please select a new resource name.": needsState("where the cluster is"),
	"parseID: The resource ID '…' is invalid.": unsent("azure-native makes the " +
		"IDs of requests"),
	"parseID: The subscription '…' could not be found.": needsState("which " +
		"subscriptions there are"),
	"parseProvider: The resource ID '…' is invalid.": unsent("azure-native makes the " +
		"IDs of requests"),
	"parseProvider: The resource type '…' could not be found in the namespace '…'.": unsent("azure-native has the " +
		"types"),

	// Operations.
	"networkBusy: Set virtual network ownership failed. Subscription: …; resource group: …; virtual network name: …. " +
		"autorest/azure: Service returned an error. Status=400 Code=\"VirtualNetworkNotInSucceededState\" " +
		"Message=\"Virtual " +
		"network … is in Updating state. It needs to be in Succeeded state in order to set resource ownership.\" " +
		"Details=[]": needsState(
		"the other changes of the network; the component creates pools in one network one by one"),
	"refuse: Operation is not allowed: Another operation is in progress":        needsState(noWay),
	"refuse: Operation is not allowed: Another operation (…) is in progress, …": needsState(noWay),
	"refuse: Unable to perform '…' operation on '…' since deletion was issued on '…'. The only allowed operation is " +
		"deletion once deletion has started. The delete operation started at '…' and elapsed time is: '…' (RFC3339 " +
		"format)": needsState(noWay),
	"refuse: Operation is not allowed: Another agentpool operation (… - …) is in progress, …":                     needsState(noWay),
	"refuse: Managed Cluster operation is not allowed: Another operation (…) is in progress on agent pool (…), …": needsState(noWay),

	// Pools.
	"putPool: Required parameter properties is missing (null).": unsent(always),
	"storePool: A cluster can have at most … agent pools.": needsState("the pools of other programs; no rule " +
		"counts those of the program"),
	"changedPool: CustomKubeletConfig or CustomLinuxOSConfig can not be changed for this operation.": unsent(
		"such a change makes another pool; MK777 reports it for a pool that keeps its name"),
	"changedPool: ScaleSetPriority is immutable. Provided value is …, Please use current value ….": unsent(
		"such a change makes another pool; MK777 reports it for a pool that keeps its name"),
	"changedPool: Changing property '…' is not allowed.": unsent(
		"such a change makes another pool; MK777 reports it for a pool that keeps its name"),
	"keepPool: Changing property '…' is not allowed.": needsState("the taint that AKS has " +
		"added"),
	"countPool: Required parameter … is missing (null).": unsent(always),
	"versionOfPool: Downgrading agent pool version from … to … is not allowed.": needsState("the version that the " +
		"pool has"),
	"unsupportedPoolVersion: Version … is not supported in this region. Please use [az aks get-versions] command to " +
		"get the supported version list in this region. For more information, please check " +
		"https://aka.ms/supported-version-list.": found(
		"MK711", win(func(p *topology.Pool) { p.KubernetesVersion = "1.31" }),
		inWindows(map[string]any{"orchestratorVersion": "1.31"})),
	"needsOtherSystemPool: There has to be at least one agent pool.": needsState("the other pools of the " +
		"cluster"),
	"needsOtherSystemPool: There has to be at least one system agent pool.": needsState("the other pools of the " +
		"cluster"),
	"checkSubnets: agentPoolProfile.…: '…' is not the ID of a subnet": found("MK760",
		winSubnets(plan.PoolOptions{NodeSubnetID: "nodes"}), inWindows(map[string]any{"vnetSubnetID": "nodes"})),
	"checkSubnets: agentPoolProfile.…: the subnet '…' was not found": needsState("whether the subnet exists"),
	"checkDisk: The Virtual Machine size … does not support Ephemeral OS disk.": found("MK749",
		ephemeral("Standard_D8s_v5", 0), inWindows(map[string]any{"vmSize": "Standard_D8s_v5", "osDiskType": "Ephemeral"})),
	"checkDisk: The virtual machine size … has a cache size of … bytes, but the OS disk requires … bytes. Use a VM " +
		"size with " +
		"larger cache or disable ephemeral OS.": found("MK749", ephemeral("Standard_DS2_v2", 0),
		inWindows(map[string]any{"vmSize": "Standard_DS2_v2", "osDiskType": "Ephemeral"})),
	"checkDisk: The virtual machine size … has a temporary disk of … bytes, but the OS disk requires … bytes. Use a " +
		"VM size " +
		"with a larger temporary disk or disable ephemeral OS.": found("MK749", ephemeral("Standard_D8ds_v5", 301),
		inWindows(map[string]any{"vmSize": "Standard_D8ds_v5", "osDiskType": "Ephemeral", "osDiskSizeGB": 301})),

	// Taints and labels.
	"checkTaints: agentPoolProfile.nodeTaints: the taint '…' is not of the form key=value:Effect with the effect " +
		"NoSchedule, " +
		"PreferNoSchedule or NoExecute": found("topology", taints(taint("a", "b", "Never")),
		inWindows(map[string]any{"nodeTaints": []any{"a=b:Never"}})),
	"checkTaints: agentPoolProfile.nodeTaints: the taint '…' is reserved for spot nodes": notYet(
		"the simulation reads the documentation so; no answer of Azure was found"),
	"checkTaints: Placing custom taints on system pool is not supported(except 'CriticalAddonsOnly' taint or taint " +
		"effect is " +
		"'PreferNoSchedule'). Please refer to https://aka.ms/aks/system-taints for detail": found("MK707",
		sys(func(p *topology.Pool) { p.Taints = []corev1.Taint{taint("a", "b", "NoSchedule")} }),
		inPool(map[string]any{"mode": "System", "nodeTaints": []any{"a=b:NoSchedule"}})),
	"checkLabels: agentPoolProfile.nodeLabels: the label '…=…' is not valid: …": found("topology", label("a", "b c"),
		inWindows(map[string]any{"nodeLabels": Body{"a": "b c"}})),
	"checkLabelNamespace: Invalid node label key …. The 'kubernetes.azure.com' prefix is preserved by aks system " +
		"labels": found(
		"MK736", label("kubernetes.azure.com/team", "shop"),
		inWindows(map[string]any{"nodeLabels": Body{"kubernetes.azure.com/team": "shop"}})),
	"checkLabelNamespace: For Kubernetes version greater than or equal to 1.16, node label keys in the " +
		"'kubernetes.io' or " +
		"'k8s.io' namespace must begin with an allowed prefix (kubelet.kubernetes.io, node.kubernetes.io). For more " +
		"information, please check https://aka.ms/aks-node-labels-116.": found("topology", label("kubernetes.io/team",
		"shop"),
		inWindows(map[string]any{"nodeLabels": Body{"kubernetes.io/team": "shop"}})),

	// Names, versions and sizes of pools.
	"namePool: agentPoolProfile.name: the name '…' has to begin with a lower-case letter, and to have at most 12 " +
		"lower-case " +
		"letters and digits": found("MK701", win(func(p *topology.Pool) { p.Name = "w-22" }), pool("w-22",
		windowsPool(nil))),
	"namePool: Windows agent pool name can not be longer than 6 characters.": found("MK702",
		win(func(p *topology.Pool) { p.Name = "windows" }), pool("windows", windowsPool(nil))),
	"namePool: Windows profile definition is missing for the cluster.": declared("MK769"),
	"checkMode: A Windows agent pool cannot have the mode System.": found("topology",
		win(func(p *topology.Pool) { p.Mode = topology.System }), inWindows(map[string]any{"mode": "System"})),
	"checkOSSKU: OSSKU='…' is invalid, details: Unrecognized OSSKU": found("MK716",
		winOptions(map[string]any{"osSKU": "Ubuntu"}), inWindows(map[string]any{"osSKU": "Ubuntu"})),
	"checkOSSKU: OSSKU='…' is invalid, details: it is retired, and new agent pools of it cannot be created": found(
		"MK713",
		func(c *plan.Cluster) {
			c.Topology.KubernetesVersion, c.Topology.Pools[1].Platform = "1.32", platform.WindowsServer2019
		}, inWindows(map[string]any{"osSKU": "Windows2019"})),
	"checkOSSKU: OSSKU='…' is invalid, details: it is not supported in Kubernetes version 1.… or later": found("MK712",
		func(c *plan.Cluster) { c.Topology.KubernetesVersion = "1.37" },
		inClusterWith(map[string]any{"kubernetesVersion": "1.37"}, windowsPool(nil))),
	"checkOSSKU: OSSKU='…' is invalid, details: it is not supported before Kubernetes version 1.…": declared("MK712"),
	"checkOSSKU: agentPoolProfile.enableFIPS: OSSKU 'Windows2025' requires a FIPS-enabled OS": found("MK714",
		win(func(p *topology.Pool) { p.Platform = platform.WindowsServer2025 }),
		inWindows(map[string]any{"osSKU": "Windows2025"})),
	"checkSize: The VM size of AgentPoolProfile:… is not allowed in your subscription in location '…'. For more " +
		"details, " +
		"please visit https://aka.ms/aks/quotas-skus-regions": needsState("which sizes a subscription and a region " +
		"have"),
	"checkSize: agentPoolProfile.vmSize: system node pool … cannot use the B-series VM size …": found("MK706",
		sys(func(p *topology.Pool) { p.Size = "Standard_B4ms" }),
		inPool(map[string]any{"mode": "System", "vmSize": "Standard_B4ms"})),
	"checkSize: System node pool must use VM sku with more than 2 cores and 4GB memory. Nodepool name: ….": found(
		"MK792",
		sys(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }),
		inPool(map[string]any{"mode": "System", "vmSize": "Standard_DS1_v2"})),
	"checkSize: agentPoolProfile.vmSize: the VM size … has less than 2 cores or 2GB memory": found("MK792",
		win(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }), inWindows(map[string]any{"vmSize": "Standard_DS1_v2"})),
	"checkSize: The Arm64 VM size … is not supported for Windows agent pools.": found("topology",
		win(func(p *topology.Pool) { p.Size = "Standard_D4ps_v5" }), inWindows(map[string]any{"vmSize": "Standard_D4ps_v5"})),
	"checkSize: The selected VM size '…' cannot boot Hypervisor Generation '1'. If this was a Create operation " +
		"please check " +
		"that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected VM Size.": found("MK793",
		win(func(p *topology.Pool) { p.Size = "Standard_D4s_v6" }), inWindows(map[string]any{"vmSize": "Standard_D4s_v6"})),

	// Windows pools.
	"checkWindowsNetwork: Windows agent pools can only be added to AKS clusters using Azure-CNI.": found("MK722",
		plugin("none"), inClusterWith(map[string]any{
			"networkProfile.networkPlugin": "none", "networkProfile.networkPluginMode": nil,
			"networkProfile.networkPolicy": nil,
		}, windowsPool(nil))),
	"checkWindowsNetwork: networkProfile.networkDataplane: the dataplane 'cilium' is not supported with Windows " +
		"agent pools": found(
		"MK723", clusterOptions(map[string]any{"networkProfile": map[string]any{"networkDataplane": "cilium"}}),
		inClusterWith(map[string]any{
			"networkProfile.networkDataplane": "cilium", "networkProfile.networkPolicy": nil,
		}, windowsPool(nil))),
	"checkWindowsNetwork: networkProfile.networkPolicy: the network policy '…' is not supported with Windows agent " +
		"pools": found(
		"MK724", func(c *plan.Cluster) { c.Network.Policy = plan.AzurePolicy },
		inClusterWith(map[string]any{"networkProfile.networkPolicy": "azure"}, windowsPool(nil))),
	"checkWindowsCluster: bootstrapProfile.artifactSource: network isolated clusters do not support Windows agent " +
		"pools": found(
		"MK782", clusterOptions(map[string]any{"bootstrapProfile": map[string]any{"artifactSource": "Cache"}}),
		inClusterWith(map[string]any{"bootstrapProfile": Body{"artifactSource": "Cache"}}, windowsPool(nil))),
	"checkWindowsCluster: networkProfile.outboundType: network isolated clusters do not support Windows agent pools": found(
		"MK782", func(c *plan.Cluster) { c.Network.OutboundType = plan.NoOutbound },
		inClusterWith(map[string]any{"networkProfile.outboundType": "none"}, windowsPool(nil))),
	"checkWindowsFeatures: agentPoolProfile.…: it is not supported for Windows agent pools": found(
		"MK741 MK743 MK744 MK745 MK746", winOptions(map[string]any{
			"securityProfile": map[string]any{"enableVTPM": true}, "gpuInstanceProfile": "MIG1g",
			"linuxOSConfig": map[string]any{}, "messageOfTheDay": "aGVsbG8=", "workloadRuntime": "KataVmIsolation",
		}), inWindows(map[string]any{"linuxOSConfig": Body{"swapFileSizeMB": 1500}})),
	"checkKubeletConfig: agentPoolProfile.kubeletConfig.…: it is not supported for Windows agent pools": found("MK747",
		winOptions(map[string]any{"kubeletConfig": map[string]any{"failSwapOn": false}}),
		inWindows(map[string]any{"kubeletConfig": Body{"failSwapOn": false}})),
	"checkOutboundNAT: agentPoolProfile.…: it is supported for Windows agent pools only": found("topology",
		sys(func(p *topology.Pool) { p.DisableOutboundNAT = true }),
		inPool(map[string]any{"windowsProfile.disableOutboundNat": true})),
	"checkOutboundNAT: agentPoolProfile.…: it is not supported with the outbound type 'loadBalancer'": found("MK729",
		win(func(p *topology.Pool) { p.DisableOutboundNAT = true }),
		inWindows(map[string]any{"windowsProfile.disableOutboundNat": true})),

	// Numbers, upgrades and spot.
	"checkMaxPods: agentPoolProfile.maxPods: agentPoolProfile.maxPods was …. It must be greater or equal to … and " +
		"less than " +
		"or equal to …": found("MK731", win(func(p *topology.Pool) { p.MaxPods = 9 }), inWindows(
		map[string]any{"maxPods": 9})),
	"checkMaxPods: The AgentPoolProfile '…' has an invalid total maxPods(maxPods per node * node count), the total " +
		"maxPods(… * " +
		"…) should be larger than …. Please refer to aka.ms/aks-min-max-pod for more detail.": found("MK705",
		sys(func(p *topology.Pool) { p.MaxPods, p.Count = 10, 1 }),
		inPool(map[string]any{"mode": "System", "maxPods": 10, "count": 1})),
	"checkCount: agentPoolProfile.…: agentPoolProfile.… was …. It must be greater or equal to minCount:… and less " +
		"than or equal " +
		"to maxCount:…": found("MK732", win(func(p *topology.Pool) { p.Count = 1001 }), inWindows(
		map[string]any{"count": 1001})),
	"checkCount: agentPoolProfile.minCount: it can only be set if enableAutoScaling is true": unsent(
		"the numbers are sent together with autoscaling"),
	"checkCount: agentPoolProfile.maxCount: it can only be set if enableAutoScaling is true": unsent(
		"the numbers are sent together with autoscaling"),
	"checkCount: Required parameter … is missing (null).": unsent("the numbers are sent together with autoscaling"),
	"checkCount: agentPoolProfile.minCount: agentPoolProfile.minCount was …. It must be less than or equal to " +
		"agentPoolProfile.maxCount:…": found("topology", autoscaled(2, 5, 3),
		inWindows(map[string]any{"enableAutoScaling": true, "count": 5, "minCount": 5, "maxCount": 3})),
	"checkCount: agentPoolProfile.count: agentPoolProfile.count was …. It must be greater or equal to minCount:… " +
		"and less than " +
		"or equal to maxCount:…": found("topology", autoscaled(9, 2, 3),
		inWindows(map[string]any{"enableAutoScaling": true, "count": 9, "minCount": 2, "maxCount": 3})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.maxSurge: '…' is neither a number nor a percentage": found(
		"topology", upgrade(topology.Upgrade{MaxSurge: "all"}), inWindows(map[string]any{"upgradeSettings.maxSurge": "all"})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.maxUnavailable: '…' is neither a number nor a " +
		"percentage": found(
		"topology", upgrade(topology.Upgrade{MaxUnavailable: "all"}),
		inWindows(map[string]any{"upgradeSettings.maxUnavailable": "all"})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.maxUnavailable: it is not supported for system node " +
		"pools": found(
		"MK734", sys(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		inPool(map[string]any{
			"mode": "System", "upgradeSettings.maxSurge": "0", "upgradeSettings.maxUnavailable": "1",
		})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.maxSurge: maxSurge and maxUnavailable cannot both be 0": found(
		"MK735", upgrade(topology.Upgrade{MaxSurge: "0"}),
		inWindows(map[string]any{"upgradeSettings.maxSurge": "0", "upgradeSettings.maxUnavailable": "0"})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.maxSurge: the count … and the surge … are more than … " +
		"nodes " +
		"together": found("MK733", win(func(p *topology.Pool) {
		p.Count, p.Upgrade = 1000,
			topology.Upgrade{MaxSurge: "1"}
	}),
		inWindows(map[string]any{"count": 1000, "upgradeSettings.maxSurge": "1"})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.drainTimeoutInMinutes: … is not between 1 and 1440": found(
		"MK790", upgrade(topology.Upgrade{DrainTimeoutMinutes: 1441}),
		inWindows(map[string]any{"upgradeSettings.drainTimeoutInMinutes": 1441})),
	"checkUpgradeSettings: agentPoolProfile.upgradeSettings.nodeSoakDurationInMinutes: … is not between 0 and 30": found(
		"MK790", upgrade(topology.Upgrade{NodeSoakMinutes: 31}),
		inWindows(map[string]any{"upgradeSettings.nodeSoakDurationInMinutes": 31})),
	"checkSpot: agentPoolProfile.spotMaxPrice: it can only be set if scaleSetPriority is 'Spot'": found("topology",
		win(func(p *topology.Pool) { p.SpotMaxPrice = 0.5 }), inWindows(map[string]any{"spotMaxPrice": 0.5})),
	"checkSpot: agentPoolProfile.scaleSetEvictionPolicy: it can only be set if scaleSetPriority is 'Spot'": found(
		"MK789",
		winOptions(map[string]any{"scaleSetEvictionPolicy": "Deallocate"}),
		inWindows(map[string]any{"scaleSetEvictionPolicy": "Deallocate"})),
	"checkSpot: A system agent pool cannot have the priority 'Spot'.": found("topology",
		sys(func(p *topology.Pool) { p.Spot = true }), inPool(map[string]any{"mode": "System", "scaleSetPriority": "Spot"})),
	"checkSpot: agentPoolProfile.spotMaxPrice: … is neither -1 nor greater than 0 with at most 5 decimal places": found("MK737",
		win(func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.0123456 }),
		inWindows(map[string]any{"scaleSetPriority": "Spot", "spotMaxPrice": 0.0123456})),

	// Subnets and zones.
	"checkPodSubnet: agentPoolProfile.podSubnetID: it is not supported with the network plugin '…'": declared("MK722"),
	"checkPodSubnet: agentPoolProfile.podSubnetID: it is not supported with the network plugin mode 'overlay'": found(
		"MK727",
		winSubnets(plan.PoolOptions{PodSubnetID: subnetID}), inWindows(map[string]any{"podSubnetID": subnetID})),
	"checkPodSubnet: agentPoolProfile.podSubnetID: it needs a vnetSubnetID": found("MK726",
		func(c *plan.Cluster) { c.Network.Mode, c.Network.PodSubnetID = plan.PodSubnet, subnetID },
		inClusterWith(map[string]any{"networkProfile.networkPluginMode": nil},
			windowsPool(map[string]any{"podSubnetID": subnetID}))),
	"checkPoolZones: The zone(s) '…' for resource '…' is not supported. The supported zones for location '…' are " +
		"'…'": found(
		"MK748", win(func(p *topology.Pool) { p.Zones = []string{"west"} }),
		inWindows(map[string]any{"availabilityZones": []any{"west"}})),
	"checkNodeSubnet: AgentPoolProfile subnet with id … cannot be used as it's a delegated subnet. Please check " +
		"https://aka.ms/adv-network-prerequest for more details.": needsState("what the subnet is delegated to"),
	"checkOutbound: The outbound type managedNATGateway cannot be used with the custom subnet ….": found("MK730",
		func(c *plan.Cluster) {
			c.Network.OutboundType, c.Network.NodeSubnetID = plan.ManagedNATGateway, subnetID
		},
		inNetwork("managedNATGateway", subnetID)),
	"checkOutbound: The outbound type userAssignedNATGateway cannot be used with a managed virtual network.": found(
		"MK730",
		func(c *plan.Cluster) { c.Network.OutboundType = plan.UserAssignedNATGateway },
		inNetwork("userAssignedNATGateway", "")),
	"checkOutbound: networkProfile.outboundType: the outbound type userDefinedRouting needs pools with a custom " +
		"subnet": found(
		"MK730", func(c *plan.Cluster) { c.Network.OutboundType = plan.UserDefinedRouting },
		inNetwork("userDefinedRouting", "")),
	"checkOutboundGateway: Subnet '…' must have a NAT gateway associated for outbound connection.": needsState(
		"what the subnet has"),
	"checkOutboundGateway: NAT gateway '…' must have at least one public IP or IP prefix associated for outbound " +
		"connection.": needsState(
		"what the gateway has"),
	"checkOutboundRoute: An existing route table has not been associated with subnet …. Please update the route " +
		"table " +
		"association": needsState("what the subnet has"),
	"checkOutboundRoute: Route table … has no default route 0.0.0.0/0.":                                             needsState("what the table has"),
	"checkOutboundRoute: The default route of route table … has the next hop …, and not an appliance or a gateway.": needsState("what the table has"),

	// All requests.
	"change: Internal server error":                                             needsState(ownFailure),
	"change: The nodes could not be provisioned: …":                             needsState(ownFailure),
	"lost: The server encountered an internal error. Please retry the request.": needsState(ownFailure),
	"find: The role assignment '…' is not found.":                               needsState("what exists"),
	"find: Could not find the agentpool: ….":                                    needsState("what exists"),
	"find: Resource … not found.":                                               needsState("what exists"),
	"checkParent: Failed to perform '…' on resource(s) of type '…', because the parent resource '…' could not be " +
		"found.": needsState(
		"whether the cluster of the pool exists"),
	"noGroup: Resource group '…' could not be found.": needsState("whether the group exists"),
	"noResource: The Resource '…/…' under resource group '…' was not found. For more details please go to " +
		"https://aka.ms/ARMResourceNotFoundFix": needsState("what exists"),
	"checked: The request content was invalid and could not be deserialized: '……": unsent("azure-native writes the " +
		"requests"),
	"checked: The request body is missing.": unsent("azure-native writes the " +
		"requests"),
	"checkObject: The request content was invalid and could not be deserialized: 'Could not find member '…' on " +
		"object of type " +
		"'…'…": unsent("azure-native has the types"),
	"checkText: The value '…' of parameter … is invalid. Allowed values are: ….": notYet(
		"values of Options that have a list of allowed ones: rules check those that decide where pods can run, and " +
			"the lists of Azure grow"),
	"wrongType: The request content was invalid and could not be deserialized: 'Error converting value to type '…'…": unsent(
		"azure-native has the types"),

	// Versions of clusters, and the administrator.
	"upgradeCluster: … Kubernetes version … to … is not allowed. Available upgrades: […]. Please see " +
		"https://aka.ms/aks-supported-k8s-ver for version details.": needsState("the version that the cluster has"),
	"unsupportedVersion: Managed cluster … is on version …, which is not supported in this region. Please use [az " +
		"aks " +
		"get-versions] command to get the supported version list in this region. For more information, please check " +
		"https://aka.ms/supported-version-list.": found("MK775",
		func(c *plan.Cluster) { c.Topology.KubernetesVersion = "1.22" },
		inCluster(map[string]any{"kubernetesVersion": "1.22"})),
	"checkSkew: Node pool version … and control plane version … are incompatible. …. For more information, please " +
		"check " +
		"https://aka.ms/version-skew-policy": found("topology", win(func(p *topology.Pool) { p.KubernetesVersion = "1.37" }),
		inWindows(map[string]any{"orchestratorVersion": "1.37"})),
	"checkWindowsAdmin: Required parameter windowsProfile.adminUsername is missing (null).": unsent("it has a default"),
	"checkWindowsAdmin: Invalid adminUsername. Error: Length of username is invalid. Required length: [1, …].…": found("MK751",
		admin(longName, password), inCluster(adminProfile(longName, password))),
	"checkWindowsAdmin: Invalid adminUsername. Error: Username '…' cannot end with '.'.…": found("MK751",
		admin("shop.", password), inCluster(adminProfile("shop.", password))),
	"checkWindowsAdmin: Invalid adminUsername. Error: Username '…' has characters that are not allowed.…": found(
		"MK751",
		admin("sh@p", password), inCluster(adminProfile("sh@p", password))),
	"checkWindowsAdmin: Invalid adminUsername. Error: Username '…' is reserved.…": found("MK752",
		admin("admin", password), inCluster(adminProfile("admin", password))),
	"checkWindowsAdmin: Required parameter windowsProfile.adminPassword is missing (null).": found("MK753",
		func(c *plan.Cluster) { c.WindowsAdmin.Password = nil },
		inCluster(map[string]any{"windowsProfile.adminPassword": nil})),
	"checkNodePassword: Invalid adminPassword. Error: Length of password is invalid. Required length: […, …]. " +
		"Minimum password " +
		"length required by AKS for AzSecPack is longer.…": found("MK754", admin("operator", "Short-1"),
		inCluster(adminProfile("operator", "Short-1"))),
	"checkNodePassword: Invalid adminPassword. Error: Password has to have 3 of: lower-case letters, upper-case " +
		"letters, digits, " +
		"special characters.…": found("MK755", admin("operator", longName), inCluster(adminProfile("operator",
		longName))),
}
