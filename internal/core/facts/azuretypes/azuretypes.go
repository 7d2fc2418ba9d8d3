// Package azuretypes describes how azure-native treats the types that this library registers: their paths in Azure, and
// the properties whose change replaces a resource. mocktest, the component of AKS and the simulated azure-native use
// it.
package azuretypes

import (
	"regexp"
	"strings"
)

// Type describes how azure-native treats a type.
type Type struct {
	// Path is the path of the resource in Azure, with the names of inputs in braces. A change of one of these inputs
	// replaces the resource.
	Path string
	// Named is the input in the path for which azure-native generates a name if it is not set.
	Named string
	// Fixed are the other properties whose change replaces the resource. [] matches every element of a list.
	Fixed []string
}

// Of returns the type with a token, with or without a version of the API.
func Of(token string) (Type, bool) {
	t, ok := types[strings.TrimPrefix(apiVersion.ReplaceAllString(token, ":"), "azure-native:")]
	return t, ok
}

// Completed returns the inputs of a type in which Azure adds values: IDs, and an address. In a preview, azure-native
// does not know what Azure adds, and the SDKs treat a property that is not fully known as unknown: PreviewOutputs in
// https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/convert/previewOutputs.go. The list has those
// that this library reads.
func Completed(token string) []string {
	return completed[strings.TrimPrefix(apiVersion.ReplaceAllString(token, ":"), "azure-native:")]
}

//facts:none what package aks reads, which its tests compare with the SDK
var completed = map[string][]string{
	"containerservice:ManagedCluster": {"identity", "identityProfile", "oidcIssuerProfile"},
}

// apiVersion matches the API version of a module, as in azure-native:containerservice/v20250801:AgentPool.
var apiVersion = regexp.MustCompile(`/v[0-9][0-9a-z]*:`)

//facts:none the form of addresses that the types share
const (
	inGroup   = "/subscriptions/SUBSCRIPTION/resourceGroups/{resourceGroupName}"
	ofCompute = inGroup + "/providers/Microsoft.Compute/"
	ofAKS     = inGroup + "/providers/Microsoft.ContainerService/managedClusters/{resourceName}"
	ofNetwork = inGroup + "/providers/Microsoft.Network/"
)

// types are the types that this library registers, by token. The properties that replace a resource are azure-native's
// own list (https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go) in release 3.23,
// and the locations that cannot change according to the API's specification: the network API does not have such
// locations. The names in the list also apply one level down, in objects and in lists of objects, and to other
// properties with the same name: the windowsProfile of inline pools.
//
//facts:seen 2026-07-17 https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go
var types = map[string]Type{
	"resources:ResourceGroup": {inGroup, "resourceGroupName", located()},

	"containerservice:ManagedCluster": {ofAKS, "resourceName", located(
		"agentPoolProfiles[].windowsProfile", "diskEncryptionSetID", "dnsPrefix", "fqdnSubdomain", "linuxProfile",
		// Since 3.21 only parts of networkProfile (https://github.com/pulumi/pulumi-azure-native/pull/4771).
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

// InPath returns the inputs in the path, in its order.
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
