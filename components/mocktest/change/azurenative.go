package change

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// AzureType is what azure-native knows of a type of Azure's.
type AzureType struct {
	// Path is that of the resource in Azure, with the names of inputs in braces: a change of one is another
	// resource.
	Path string
	// Named is the input in the path that gets a name if it has none.
	Named string
	// Fixed are the other properties whose change replaces the resource. [] stands for every element of a list.
	Fixed []string
}

// AzureNative finds a type by its token, with a version of the API or without.
func AzureNative(token string) (AzureType, bool) {
	t, ok := azure[strings.TrimPrefix(apiVersion.ReplaceAllString(token, ":"), "azure-native:")]
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

// azure are the types by their tokens. What replaces them is azure-native's own list
// (https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go)
// as it was in release 3.23, and the locations of which the API's specification says
// that they cannot change: those of the network API are not among them. Its names hold one
// level down too, in objects and in lists of objects, and so for what only has the same
// name: the windowsProfile of inline pools.
var azure = map[string]AzureType{
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
func (t AzureType) InPath() []string {
	var names []string
	for part := range strings.SplitSeq(t.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// IsPart says whether the resource is part of another one in Azure: a subnet, for example.
func (t AzureType) IsPart() bool { return len(t.InPath()) > 2 }

// CreateBeforeDelete is the input with which azure-native remembers that a name is random: two resources can be
// there at a time.
const CreateBeforeDelete = "__createBeforeDelete"

func (t AzureType) compare(q Question) Answer {
	var found []Difference
	said := sameAnyway(q.Before, q.After)
	for _, d := range Differences(q.Before, q.After) {
		name, _ := d.Path[0].(string)
		if strings.HasPrefix(name, "__") || slices.Contains(said, name) {
			continue
		}
		if !t.isSaidAlready(d, q.State) {
			d.Why = t.why(d)
		}
		found = append(found, d)
	}
	// A name that azure-native makes up is random, except that of a part.
	_, isNamed := q.Before.GetOk(t.Named)
	random := isTrue(q.Before, CreateBeforeDelete) || !isNamed && !t.IsPart()
	return Answer{Differences: found, DeleteFirst: !random}
}

// isSaidAlready says that a new input is what the resource is anyway.
func (t AzureType) isSaidAlready(d Difference, state property.Map) bool {
	return d.Kind == Added && len(d.Path) == 1 && !d.After.IsComputed() &&
		stripped(at(state, d.Path[0].(string))).Equals(d.After)
}

// why is empty for what azure-native changes in place. What is added to a property that replaces, or taken from
// it, is, and so is an element that comes to a list or leaves it.
func (t AzureType) why(d Difference) string {
	_, isElement := d.Path[len(d.Path)-1].(int)
	if isElement && d.Kind != Changed {
		return ""
	}
	replacing := slices.Concat(t.InPath(), t.Fixed)
	for n := len(d.Path); n > 0; n-- {
		if n < len(d.Path) {
			if _, below := d.Path[n].(string); !below || d.Kind != Changed {
				continue
			}
		}
		if name := pattern(d.Path[:n]); slices.Contains(replacing, name) {
			return why("azure-native", name)
		}
	}
	return ""
}

// pattern is a path with [] for every index.
func pattern(path resource.PropertyPath) string {
	var names []string
	for _, part := range path {
		name, ok := part.(string)
		if !ok {
			name = "[]"
		}
		names = append(names, name)
	}
	return strings.ReplaceAll(strings.Join(names, "."), ".[]", "[]")
}

// sameAnyway are the inputs whose two values are the same for Azure.
func sameAnyway(before, after property.Map) []string {
	var same []string
	for _, name := range []string{"location", "resourceGroupName", "sku"} {
		a, b := stripped(before.Get(name)), stripped(after.Get(name))
		switch {
		case name == "sku":
			if isSKU(a) && isSKU(b) && newWords(a.AsMap()) == newWords(b.AsMap()) {
				same = append(same, name)
			}
		case !a.IsString() || !b.IsString():
		case name == "location" && normal(a.AsString()) == normal(b.AsString()),
			name == "resourceGroupName" && strings.EqualFold(a.AsString(), b.AsString()):
			same = append(same, name)
		}
	}
	return same
}

// normal is westus2 for West US 2.
func normal(location string) string { return strings.ToLower(strings.ReplaceAll(location, " ", "")) }

// isSKU says whether a value has a name and a tier, and nothing else.
func isSKU(v property.Value) bool {
	return v.IsMap() && v.AsMap().Len() == 2 && v.AsMap().Get("name").IsString() && v.AsMap().Get("tier").IsString()
}

// newWords are a SKU in the words that AKS has now.
func newWords(sku property.Map) [2]string {
	name, tier := text(sku, "name"), text(sku, "tier")
	if name == "Basic" {
		name = "Base"
	}
	if tier == "Paid" {
		tier = "Standard"
	}
	return [2]string{name, tier}
}
