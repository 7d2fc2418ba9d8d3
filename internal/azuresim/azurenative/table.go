package azurenative

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// networkNested are the names of all objects of the network API that have properties of their own. They can be nested
// in each other to any depth.
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

// computeNested are the same for the compute API.
var computeNested = []string{
	"ipConfigurations", "networkInterfaceConfigurations", "networkInterfaces",
	"publicIPAddressConfiguration",
}

// table are the supported types of azure-native. Package azuretypes has their paths and the properties that replace
// them.
var table = withTrees(
	&resourceType{
		token:      "azure-native:resources:ResourceGroup",
		location:   true,
		apiVersion: "2024-03-01",
	},
	&resourceType{
		token:    "azure-native:containerservice:ManagedCluster",
		location: true,
		top:      []string{"extendedLocation", "identity", "kind", "location", "sku", "tags"},
		secrets: []string{
			"aadProfile.serverAppSecret", "servicePrincipalProfile.secret",
			"windowsProfile.adminPassword",
		},
		apiVersion: "2025-09-01",
	},
	&resourceType{
		token:      "azure-native:containerservice:AgentPool",
		top:        []string{},
		apiVersion: "2025-09-01",
	},
	&resourceType{
		token:    "azure-native:network:VirtualNetwork",
		location: true,
		top:      []string{"extendedLocation", "id", "location", "tags"},
		nested: []string{
			"applicationGatewayIPConfigurations", "delegations", "natGateway", "networkSecurityGroup", "routeTable",
			"serviceEndpointPolicies", "subnets", "virtualNetworkPeerings",
		},
		maintained: []string{"subnets", "virtualNetworkPeerings"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token: "azure-native:network:Subnet",
		top:   []string{"id", "name", "type"},
		nested: []string{
			"applicationGatewayIPConfigurations", "delegations", "natGateway", "networkSecurityGroup",
			"routeTable", "serviceEndpointPolicies",
		},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:PublicIPAddress",
		location:   true,
		top:        []string{"extendedLocation", "id", "location", "sku", "tags", "zones"},
		nested:     []string{"linkedPublicIPAddress", "natGateway", "servicePublicIPAddress"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:NetworkInterface",
		location:   true,
		top:        []string{"extendedLocation", "id", "location", "tags"},
		nested:     networkNested,
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:NetworkSecurityGroup",
		location:   true,
		top:        []string{"id", "location", "tags"},
		nested:     networkNested,
		maintained: []string{"securityRules"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:RouteTable",
		location:   true,
		top:        []string{"id", "location", "tags"},
		nested:     networkNested,
		maintained: []string{"routes"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:Route",
		top:        []string{"id", "name", "type"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:      "azure-native:network:NatGateway",
		location:   true,
		top:        []string{"id", "location", "sku", "tags", "zones"},
		apiVersion: "2024-05-01",
	},
	&resourceType{
		token:       "azure-native:network:LoadBalancer",
		location:    true,
		top:         []string{"extendedLocation", "id", "location", "sku", "tags"},
		nested:      networkNested,
		nestedBelow: map[string][]string{"backendAddressPools": {"location"}},
		maintained:  []string{"backendAddressPools", "inboundNatRules"},
		apiVersion:  "2024-05-01",
	},
	&resourceType{
		token:    "azure-native:compute:VirtualMachine",
		location: true,
		top:      []string{"extendedLocation", "identity", "location", "placement", "plan", "tags", "zones"},
		nested:   append([]string{"resources"}, computeNested...),
		secrets: []string{
			"osProfile.adminPassword", "osProfile.customData",
			"osProfile.windowsConfiguration.additionalUnattendContent.content", "userData",
		},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:       "azure-native:compute:VirtualMachineScaleSet",
		location:    true,
		top:         []string{"extendedLocation", "identity", "location", "plan", "sku", "tags", "zones"},
		nested:      append([]string{"extensions"}, computeNested...),
		nestedBelow: map[string][]string{"extensions": {"type"}},
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
		location:   true,
		top:        []string{"location", "tags"},
		secrets:    []string{"protectedSettings"},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:      "azure-native:compute:VirtualMachineRunCommandByVirtualMachine",
		location:   true,
		top:        []string{"location", "tags"},
		secrets:    []string{"protectedParameters", "runAsPassword"},
		apiVersion: "2024-11-01",
	},
	&resourceType{
		token:      "azure-native:managedidentity:UserAssignedIdentity",
		location:   true,
		top:        []string{"location", "tags"},
		apiVersion: "2023-01-31",
	},
	&resourceType{
		token:      "azure-native:authorization:RoleAssignment",
		namedUUID:  true,
		top:        []string{},
		apiVersion: "2022-04-01",
	},
)

func withTrees(types ...*resourceType) map[string]*resourceType {
	byToken := map[string]*resourceType{}
	for _, t := range types {
		known, ok := azuretypes.Of(t.token)
		if !ok {
			panic("package azuretypes does not know " + t.token)
		}
		t.Type = known
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
