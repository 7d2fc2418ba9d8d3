// Package azuretypes has what azure-native knows of the types that this library registers: their paths in Azure, and
// for which properties it replaces a resource. mocktest, the component of AKS and the simulated azure-native read it.
package azuretypes

import (
	"regexp"
	"strings"
)

// Type is what azure-native knows of a type of Azure's.
type Type struct {
	// Path is that of the resource in Azure, with the names of inputs in braces: a change of one is another
	// resource.
	Path string
	// Named is the input in the path that gets a name if it has none.
	Named string
	// Fixed are the other properties whose change replaces the resource. [] means every element of a list.
	Fixed []string
}

// Of finds a type by its token, with a version of the API or without.
func Of(token string) (Type, bool) {
	t, ok := types[strings.TrimPrefix(apiVersion.ReplaceAllString(token, ":"), "azure-native:")]
	return t, ok
}

// apiVersion is that of a module, as in azure-native:containerservice/v20250801:AgentPool.
var apiVersion = regexp.MustCompile(`/v[0-9][0-9a-z]*:`)

const (
	inGroup   = "/subscriptions/SUBSCRIPTION/resourceGroups/{resourceGroupName}"
	ofCompute = inGroup + "/providers/Microsoft.Compute/"
	ofAKS     = inGroup + "/providers/Microsoft.ContainerService/managedClusters/{resourceName}"
	ofNetwork = inGroup + "/providers/Microsoft.Network/"
)

// types are those that this library registers, by token. What replaces them is azure-native's own list
// (https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go)
// as it was in release 3.23, and the locations of which the API's specification says
// that they cannot change: those of the network API are not among them. Its names hold one
// level down too, in objects and in lists of objects, and so for what only has the same
// name: the windowsProfile of inline pools.
var types = map[string]Type{
	"resources:ResourceGroup": {inGroup, "resourceGroupName", located()},

	"containerservice:ManagedCluster": {ofAKS, "resourceName", located(
		"agentPoolProfiles[].windowsProfile", "diskEncryptionSetID", "dnsPrefix", "fqdnSubdomain", "linuxProfile",
		// Since 3.21 not all of it
		// (https://github.com/pulumi/pulumi-azure-native/pull/4771).
		"networkProfile.dnsServiceIP", "networkProfile.ipFamilies", "networkProfile.networkDataplane",
		"networkProfile.networkMode", "networkProfile.networkPlugin", "networkProfile.networkPluginMode",
		"networkProfile.networkPolicy", "networkProfile.outboundType", "networkProfile.podCidr",
		"networkProfile.podCidrs", "networkProfile.serviceCidr", "networkProfile.serviceCidrs",
		"nodeResourceGroup", "windowsProfile",
	)},
	"containerservice:AgentPool": {
		ofAKS + "/agentPools/{agentPoolName}", "agentPoolName",
		[]string{"gpuInstanceProfile", "networkProfile.nodePublicIPTags", "vmSize"},
	},

	"network:VirtualNetwork": {
		ofNetwork + "virtualNetworks/{virtualNetworkName}", "virtualNetworkName", located(),
	},
	"network:Subnet": {
		ofNetwork + "virtualNetworks/{virtualNetworkName}/subnets/{subnetName}", "subnetName", nil,
	},
	"network:PublicIPAddress": {
		ofNetwork + "publicIPAddresses/{publicIpAddressName}", "publicIpAddressName",
		located("publicIPAddressVersion", "publicIPPrefix", "sku"),
	},
	"network:NetworkInterface": {
		ofNetwork + "networkInterfaces/{networkInterfaceName}", "networkInterfaceName", nil,
	},
	"network:NetworkSecurityGroup": {
		ofNetwork + "networkSecurityGroups/{networkSecurityGroupName}", "networkSecurityGroupName", nil,
	},
	"network:RouteTable":   {ofNetwork + "routeTables/{routeTableName}", "routeTableName", nil},
	"network:Route":        {ofNetwork + "routeTables/{routeTableName}/routes/{routeName}", "routeName", nil},
	"network:NatGateway":   {ofNetwork + "natGateways/{natGatewayName}", "natGatewayName", nil},
	"network:LoadBalancer": {ofNetwork + "loadBalancers/{loadBalancerName}", "loadBalancerName", nil},

	"compute:VirtualMachine": {ofCompute + "virtualMachines/{vmName}", "vmName", located()},
	"compute:VirtualMachineScaleSet": {
		ofCompute + "virtualMachineScaleSets/{vmScaleSetName}", "vmScaleSetName", located(),
	},
	"compute:VirtualMachineExtension": {
		ofCompute + "virtualMachines/{vmName}/extensions/{vmExtensionName}", "vmExtensionName", located(),
	},
	"compute:VirtualMachineRunCommandByVirtualMachine": {
		ofCompute + "virtualMachines/{vmName}/runCommands/{runCommandName}", "runCommandName", located(),
	},

	"managedidentity:UserAssignedIdentity": {
		inGroup + "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}", "resourceName",
		located(),
	},
	"authorization:RoleAssignment": {
		"/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}", "roleAssignmentName",
		[]string{"principalId"},
	},
}

func located(others ...string) []string { return append(others, "location") }

// InPath are the inputs in the path, in its order.
func (t Type) InPath() []string {
	var names []string
	for part := range strings.SplitSeq(t.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// IsPart reports whether the resource is part of another one in Azure: a subnet, for example.
func (t Type) IsPart() bool { return len(t.InPath()) > 2 }
