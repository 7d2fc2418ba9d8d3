package azurenative

import "fmt"

const inGroup = "/subscriptions/SUBSCRIPTION/resourceGroups/{resourceGroupName}"

// networkNested are the names of all objects of the network API that have properties
// of their own: they can be as deep in each other as one likes.
var networkNested = []string{
	"applicationGatewayBackendAddressPools", "applicationGatewayIPConfigurations", "applicationSecurityGroups",
	"backendAddressPools",
	"backendIPConfiguration", "backendIPConfigurations", "defaultSecurityRules", "delegations",
	"destinationApplicationSecurityGroups", "flowLogs",
	"frontendIPConfigurations", "inboundNatPools", "inboundNatRules", "ipConfiguration", "ipConfigurationProfiles",
	"ipConfigurations",
	"linkedPublicIPAddress", "loadBalancerBackendAddresses", "loadBalancerBackendAddressPools",
	"loadBalancerFrontendIpConfigurations",
	"loadBalancerInboundNatRules", "loadBalancingRules", "natGateway", "networkInterfaces", "networkSecurityGroup",
	"outboundRules",
	"privateEndpoint", "privateLinkService", "probes", "publicIPAddress", "routeTable", "routes", "securityRules",
	"serviceEndpointPolicies",
	"servicePublicIPAddress", "sourceApplicationSecurityGroups", "subnet", "subnets", "tapConfigurations",
	"virtualNetworkTaps",
}

// computeNested are those of the compute API.
var computeNested = []string{
	"ipConfigurations", "networkInterfaceConfigurations", "networkInterfaces",
	"publicIPAddressConfiguration",
}

// table is the types of azure-native that there are. What replaces them is
// azure-native's own list
// (https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go)
// as it was in release 3.23, and the locations of which the API's specification says
// that they cannot change: those of the network API are not among them. Its names hold one
// level down too, in objects and in lists of objects, and so for what only has the same
// name: the windowsProfile of inline pools.
var table = withTrees(
	&resourceType{
		token:      "azure-native:resources:ResourceGroup",
		path:       inGroup,
		named:      "resourceGroupName",
		location:   true,
		replacing:  []string{"location"},
		apiVersion: "2024-03-01",
	},
	&resourceType{
		token:    "azure-native:containerservice:ManagedCluster",
		path:     inGroup + "/providers/Microsoft.ContainerService/managedClusters/{resourceName}",
		named:    "resourceName",
		location: true,
		top:      []string{"extendedLocation", "identity", "kind", "location", "sku", "tags"},
		replacing: []string{
			"agentPoolProfiles[].windowsProfile", "diskEncryptionSetID", "dnsPrefix", "fqdnSubdomain", "linuxProfile",
			"location",
			// Since 3.21 not all of it
			// (https://github.com/pulumi/pulumi-azure-native/pull/4771).
			"networkProfile.dnsServiceIP", "networkProfile.ipFamilies", "networkProfile.networkDataplane",
			"networkProfile.networkMode", "networkProfile.networkPlugin", "networkProfile.networkPluginMode",
			"networkProfile.networkPolicy", "networkProfile.outboundType", "networkProfile.podCidr",
			"networkProfile.podCidrs", "networkProfile.serviceCidr", "networkProfile.serviceCidrs",
			"nodeResourceGroup", "windowsProfile",
		},
		secrets: []string{
			"aadProfile.serverAppSecret", "servicePrincipalProfile.secret",
			"windowsProfile.adminPassword",
		},
		apiVersion: "2025-09-01",
	},
	&resourceType{
		token: "azure-native:containerservice:AgentPool",
		path: inGroup +
			"/providers/Microsoft.ContainerService/managedClusters/{resourceName}/agentPools/{agentPoolName}",
		named:      "agentPoolName",
		top:        []string{},
		replacing:  []string{"gpuInstanceProfile", "networkProfile.nodePublicIPTags", "vmSize"},
		apiVersion: "2025-09-01",
	},
	&resourceType{
		token:    "azure-native:network:VirtualNetwork",
		path:     inGroup + "/providers/Microsoft.Network/virtualNetworks/{virtualNetworkName}",
		named:    "virtualNetworkName",
		location: true,
		top:      []string{"extendedLocation", "id", "location", "tags"},
		nested: []string{
			"applicationGatewayIPConfigurations", "delegations", "natGateway", "networkSecurityGroup", "routeTable",
			"serviceEndpointPolicies", "subnets", "virtualNetworkPeerings",
		},
		replacing:  []string{"location"},
		maintained: []string{"subnets", "virtualNetworkPeerings"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token: "azure-native:network:Subnet",
		path:  inGroup + "/providers/Microsoft.Network/virtualNetworks/{virtualNetworkName}/subnets/{subnetName}",
		named: "subnetName",
		top:   []string{"id", "name", "type"},
		nested: []string{
			"applicationGatewayIPConfigurations", "delegations", "natGateway", "networkSecurityGroup",
			"routeTable", "serviceEndpointPolicies",
		},

		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:PublicIPAddress",
		path:       inGroup + "/providers/Microsoft.Network/publicIPAddresses/{publicIpAddressName}",
		named:      "publicIpAddressName",
		location:   true,
		top:        []string{"extendedLocation", "id", "location", "sku", "tags", "zones"},
		nested:     []string{"linkedPublicIPAddress", "natGateway", "servicePublicIPAddress"},
		replacing:  []string{"location", "publicIPAddressVersion", "publicIPPrefix", "sku"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:NetworkInterface",
		path:       inGroup + "/providers/Microsoft.Network/networkInterfaces/{networkInterfaceName}",
		named:      "networkInterfaceName",
		location:   true,
		top:        []string{"extendedLocation", "id", "location", "tags"},
		nested:     networkNested,
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:NetworkSecurityGroup",
		path:       inGroup + "/providers/Microsoft.Network/networkSecurityGroups/{networkSecurityGroupName}",
		named:      "networkSecurityGroupName",
		location:   true,
		top:        []string{"id", "location", "tags"},
		nested:     networkNested,
		maintained: []string{"securityRules"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:RouteTable",
		path:       inGroup + "/providers/Microsoft.Network/routeTables/{routeTableName}",
		named:      "routeTableName",
		location:   true,
		top:        []string{"id", "location", "tags"},
		nested:     networkNested,
		maintained: []string{"routes"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:Route",
		path:       inGroup + "/providers/Microsoft.Network/routeTables/{routeTableName}/routes/{routeName}",
		named:      "routeName",
		top:        []string{"id", "name", "type"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:NatGateway",
		path:       inGroup + "/providers/Microsoft.Network/natGateways/{natGatewayName}",
		named:      "natGatewayName",
		location:   true,
		top:        []string{"id", "location", "sku", "tags", "zones"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:       "azure-native:network:LoadBalancer",
		path:        inGroup + "/providers/Microsoft.Network/loadBalancers/{loadBalancerName}",
		named:       "loadBalancerName",
		location:    true,
		top:         []string{"extendedLocation", "id", "location", "sku", "tags"},
		nested:      networkNested,
		nestedBelow: map[string][]string{"backendAddressPools": {"location"}},
		maintained:  []string{"backendAddressPools", "inboundNatRules"},
		apiVersion:  "2024-05-01",
	},
	&resourceType{
		token:     "azure-native:compute:VirtualMachine",
		path:      inGroup + "/providers/Microsoft.Compute/virtualMachines/{vmName}",
		named:     "vmName",
		location:  true,
		top:       []string{"extendedLocation", "identity", "location", "placement", "plan", "tags", "zones"},
		nested:    append([]string{"resources"}, computeNested...),
		replacing: []string{"location"},
		secrets: []string{
			"osProfile.adminPassword", "osProfile.customData",
			"osProfile.windowsConfiguration.additionalUnattendContent.content", "userData",
		},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:       "azure-native:compute:VirtualMachineScaleSet",
		path:        inGroup + "/providers/Microsoft.Compute/virtualMachineScaleSets/{vmScaleSetName}",
		named:       "vmScaleSetName",
		location:    true,
		top:         []string{"extendedLocation", "identity", "location", "plan", "sku", "tags", "zones"},
		nested:      append([]string{"extensions"}, computeNested...),
		nestedBelow: map[string][]string{"extensions": {"type"}},
		replacing:   []string{"location"},
		secrets: []string{
			"virtualMachineProfile.extensionProfile.extensions.protectedSettings",
			"virtualMachineProfile.osProfile.adminPassword",
			"virtualMachineProfile.osProfile.customData",
			"virtualMachineProfile.osProfile.windowsConfiguration.additionalUnattendContent.content",
			"virtualMachineProfile.userData",
		},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:      "azure-native:compute:VirtualMachineExtension",
		path:       inGroup + "/providers/Microsoft.Compute/virtualMachines/{vmName}/extensions/{vmExtensionName}",
		named:      "vmExtensionName",
		location:   true,
		top:        []string{"location", "tags"},
		replacing:  []string{"location"},
		secrets:    []string{"protectedSettings"},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:      "azure-native:compute:VirtualMachineRunCommandByVirtualMachine",
		path:       inGroup + "/providers/Microsoft.Compute/virtualMachines/{vmName}/runCommands/{runCommandName}",
		named:      "runCommandName",
		location:   true,
		top:        []string{"location", "tags"},
		replacing:  []string{"location"},
		secrets:    []string{"protectedParameters", "runAsPassword"},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:      "azure-native:managedidentity:UserAssignedIdentity",
		path:       inGroup + "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}",
		named:      "resourceName",
		location:   true,
		top:        []string{"location", "tags"},
		replacing:  []string{"location"},
		apiVersion: "2023-01-31",
	},
	&resourceType{
		token:      "azure-native:authorization:RoleAssignment",
		path:       "/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}",
		named:      "roleAssignmentName",
		namedUUID:  true,
		top:        []string{},
		replacing:  []string{"principalId"},
		apiVersion: "2022-04-01",
	},
)

func withTrees(types ...*resourceType) map[string]*resourceType {
	byToken := map[string]*resourceType{}
	for _, t := range types {
		t.tree = loadTree(t.name())
		byToken[t.token] = t
	}
	return byToken
}

func lookUp(token string) (*resourceType, error) {
	if t := table[token]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf( //nolint:staticcheck // azure-native's words
		"Resource type %s not found: the simulated azure-native has only some", token,
	)
}
