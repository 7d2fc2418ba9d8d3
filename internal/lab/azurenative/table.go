package azurenative

import "fmt"

const inGroup = "/subscriptions/SUBSCRIPTION/resourceGroups/{resourceGroupName}"

// table is the types of azure-native that there are. What replaces them is
// azure-native's own list
// (https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go)
// as it was in release 3.16.
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
			"diskEncryptionSetID", "dnsPrefix", "fqdnSubdomain", "linuxProfile", "location", "networkProfile", "nodeResourceGroup",
			"windowsProfile",
		},
		secrets:    []string{"aadProfile.serverAppSecret", "servicePrincipalProfile.secret", "windowsProfile.adminPassword"},
		apiVersion: "2025-09-01",
	},
	&resourceType{
		token:      "azure-native:containerservice:AgentPool",
		path:       inGroup + "/providers/Microsoft.ContainerService/managedClusters/{resourceName}/agentPools/{agentPoolName}",
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
		token:  "azure-native:network:Subnet",
		path:   inGroup + "/providers/Microsoft.Network/virtualNetworks/{virtualNetworkName}/subnets/{subnetName}",
		named:  "subnetName",
		top:    []string{"id", "name", "type"},
		nested: []string{"applicationGatewayIPConfigurations", "delegations", "natGateway", "networkSecurityGroup", "routeTable", "serviceEndpointPolicies"},

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
	return nil, fmt.Errorf("Resource type %s not found: the simulated azure-native has only some", token) //nolint:staticcheck // azure-native's words
}
