// Package kubeadmtest stands in for Azure in unit tests of programs that create clusters with
// package kubeadm:
//
//	graph, err := mocktest.Run(program, mocktest.Preview(), kubeadmtest.Azure())
//
// The mocks of Pulumi's SDK give the same answers with [mocktest.Mocks]:
//
//	mocks := mocktest.Mocks(kubeadmtest.Azure())
//	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocks))
package kubeadmtest

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// Subscription is the subscription in the IDs of all resources.
const Subscription = "00000000-0000-0000-0000-000000000000"

// PublicAddress is the value of every public address.
const PublicAddress = "203.0.113.10"

// Azure gives the answers of azure-native for the resources of a cluster. It uses
// [mocktest.Outputs] and [mocktest.Calls], so that another one of these replaces it.
func Azure() mocktest.Option { return mocktest.All(mocktest.Outputs(Outputs()), mocktest.Calls(Call)) }

// Call gives the answers of azure-native to calls: that no Run Command exists, because machines
// have got no other keys. It is for tests that use [mocktest.Calls] themselves.
func Call(call mocktest.Call) (resource.PropertyMap, error) {
	if call.Token == "azure-native:compute:getVirtualMachineRunCommandByVirtualMachine" {
		return nil, errors.New("Status=404 Code=\"NotFound\"")
	}
	return nil, fmt.Errorf("kubeadmtest: the program calls %s, and nothing answers: pass mocktest.Calls", call.Token)
}

// Outputs returns the outputs that azure-native adds to the inputs of a resource, and the UIDs of
// nodes, for tests that use [mocktest.Outputs] themselves. An interface whose address Azure chooses gets one in the
// default subnet of the nodes, 10.240.0.128/25. The address follows from its name, or is the next
// free one. The keys of a cluster were created before, on the day [Created]. The function is for one
// run, because it remembers the addresses.
func Outputs() func(mocktest.Resource) resource.PropertyMap {
	owners := map[string]any{}
	return func(r mocktest.Resource) resource.PropertyMap { return outputs(r, owners) }
}

// kinds are the types whose names the program chooses, with Azure's name of the type and the input
// with the name. A subnet is below its network.
var kinds = map[string]struct{ kind, named string }{
	"azure-native:compute:VirtualMachine":         {"Microsoft.Compute/virtualMachines", "vmName"},
	"azure-native:compute:VirtualMachineScaleSet": {"Microsoft.Compute/virtualMachineScaleSets", "vmScaleSetName"},
	"azure-native:network:LoadBalancer":           {"Microsoft.Network/loadBalancers", "loadBalancerName"},
	"azure-native:network:NatGateway":             {"Microsoft.Network/natGateways", "natGatewayName"},
	"azure-native:network:NetworkInterface":       {"Microsoft.Network/networkInterfaces", "networkInterfaceName"},
	"azure-native:network:NetworkSecurityGroup": {
		"Microsoft.Network/networkSecurityGroups",
		"networkSecurityGroupName",
	},
	"azure-native:network:PublicIPAddress": {"Microsoft.Network/publicIPAddresses", "publicIpAddressName"},
	"azure-native:network:RouteTable":      {"Microsoft.Network/routeTables", "routeTableName"},
	"azure-native:network:Subnet":          {"Microsoft.Network/virtualNetworks/%v/subnets", "subnetName"},
	"azure-native:network:VirtualNetwork":  {"Microsoft.Network/virtualNetworks", "virtualNetworkName"},
}

// outputs returns the outputs that a provider adds to the inputs of a resource.
func outputs(r mocktest.Resource, owners map[string]any) resource.PropertyMap {
	in := r.Plain()
	if r.Type == "pulumi:index:Stash" && origins.MatchString(r.Name) {
		return origin(r.Name)
	}
	if r.Type == "azure-native:resources:ResourceGroup" {
		return properties(map[string]any{"name": r.Name + "1a2b3c4d"})
	}
	if r.Type == "kubernetes:core/v1:Node" {
		return properties(map[string]any{"metadata": map[string]any{"uid": vmID("node " + r.Name)}})
	}
	k, ok := kinds[r.Type]
	if !ok {
		return nil
	}
	kind := k.kind
	if r.Type == "azure-native:network:Subnet" {
		kind = fmt.Sprintf(kind, in["virtualNetworkName"])
	}
	out := map[string]any{
		"name": in[k.named],
		"id": fmt.Sprintf("/subscriptions/%s/resourceGroups/%v/providers/%s/%v", Subscription,
			in["resourceGroupName"], kind, in[k.named]),
	}
	switch r.Type {
	case "azure-native:network:PublicIPAddress":
		out["ipAddress"] = PublicAddress
	case "azure-native:compute:VirtualMachine":
		out["vmId"] = vmID(fmt.Sprint(in["vmName"]))
	case "azure-native:network:NetworkInterface":
		out["ipConfigurations"] = []any{map[string]any{"privateIPAddress": address(in, owners)}}
	}
	return properties(out)
}

// origins are the names of the resources in which a stack remembers the keys of a cluster.
var origins = regexp.MustCompile(`-keys-(\d+|\w+-\d+-(trusted|signs))$`)

// origin returns what the stack of an existing cluster remembers, so that each run has the same
// keys.
func origin(name string) resource.PropertyMap {
	return resource.PropertyMap{"output": resource.MakeSecret(resource.NewProperty(properties(map[string]any{
		"drawn": GeneratedSecret(name), "created": Created.Format(time.DateOnly),
	})))}
}

// Created is the day on which the keys of every cluster were created.
var Created = time.Date(2026, time.January, 15, 0, 0, 0, 0, time.UTC)

// GeneratedSecret returns the secret that the keys of a cluster are derived from, by the name of the resource
// that stores it: NAME-keys-0 is the first generation of the cluster NAME.
func GeneratedSecret(name string) string {
	sum := sha256.Sum256([]byte("the test secret of " + name))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// vmID returns the ID that a machine gets when it is created. Here it follows from its name.
func vmID(name string) string {
	h := fnv.New128a()
	fmt.Fprint(h, name)
	sum := h.Sum(nil)
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:])
}

// address returns the address of an interface: the one that it requests, or one that follows from
// its name.
func address(in map[string]any, owners map[string]any) string {
	configurations, _ := in["ipConfigurations"].([]any)
	if len(configurations) > 0 {
		first, _ := configurations[0].(map[string]any)
		if requested, ok := first["privateIPAddress"].(string); ok {
			return requested
		}
	}
	// Azure reserves the first four addresses of a subnet, and the last one.
	const first, room = 132, 123
	name := in["networkInterfaceName"]
	h := fnv.New32a()
	fmt.Fprint(h, name)
	for i := range uint32(room) {
		text := fmt.Sprintf("10.240.0.%d", first+(h.Sum32()+i)%room)
		if owner, taken := owners[text]; !taken || owner == name {
			owners[text] = name
			return text
		}
	}
	panic("kubeadmtest: more machines than the subnet has addresses")
}

func properties(m map[string]any) resource.PropertyMap { return resource.NewPropertyMapFromMap(m) }
