package kubeadmtest_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// outputs returns the plain outputs of a resource with some inputs.
func outputs(typ, name string, inputs map[string]any) map[string]any {
	out := kubeadmtest.Outputs()(mocktest.Resource{
		Type: typ, Name: name,
		Inputs: resource.NewPropertyMapFromMap(inputs),
	})
	if out == nil {
		return nil
	}
	return mocktest.Plain(out)
}

func TestResourcesHaveTheirNamesAndIDs(t *testing.T) {
	t.Parallel()
	const group = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop-group/providers/"
	for _, tt := range []struct{ typ, named, kind string }{
		{"azure-native:compute:VirtualMachine", "vmName", "Microsoft.Compute/virtualMachines"},
		{"azure-native:compute:VirtualMachineScaleSet", "vmScaleSetName", "Microsoft.Compute/virtualMachineScaleSets"},
		{"azure-native:network:LoadBalancer", "loadBalancerName", "Microsoft.Network/loadBalancers"},
		{"azure-native:network:NatGateway", "natGatewayName", "Microsoft.Network/natGateways"},
		{
			"azure-native:network:NetworkSecurityGroup", "networkSecurityGroupName",
			"Microsoft.Network/networkSecurityGroups",
		},
		{"azure-native:network:RouteTable", "routeTableName", "Microsoft.Network/routeTables"},
		{"azure-native:network:VirtualNetwork", "virtualNetworkName", "Microsoft.Network/virtualNetworks"},
	} {
		want := map[string]any{"name": "it", "id": group + tt.kind + "/it"}
		if tt.named == "vmName" {
			want["vmId"] = "08809531-d5ab-1be9-5aa0-733055ab7628"
		}
		if diff := cmp.Diff(want,
			outputs(tt.typ, "shop", map[string]any{tt.named: "it", "resourceGroupName": "shop-group"})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.typ, diff)
		}
	}
}

func TestASubnetIsInItsNetwork(t *testing.T) {
	t.Parallel()
	got := outputs("azure-native:network:Subnet", "shop", map[string]any{
		"subnetName": "nodes", "virtualNetworkName": "shop", "resourceGroupName": "shop-group",
	})
	const want = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop-group/" +
		"providers/Microsoft.Network/virtualNetworks/shop/subnets/nodes"
	if got["id"] != want {
		t.Errorf("the ID is %v", got["id"])
	}
}

func TestResourceGroupsAreAutonamed(t *testing.T) {
	t.Parallel()
	want := map[string]any{"name": "shop-rg1a2b3c4d"}
	if diff := cmp.Diff(want, outputs("azure-native:resources:ResourceGroup", "shop-rg", nil)); diff != "" {
		t.Error(diff)
	}
}

func TestAPublicAddress(t *testing.T) {
	t.Parallel()
	got := outputs("azure-native:network:PublicIPAddress", "shop",
		map[string]any{"publicIpAddressName": "it", "resourceGroupName": "shop-group"})
	if got["ipAddress"] != "203.0.113.10" {
		t.Errorf("the address is %v", got["ipAddress"])
	}
}

// address returns the address of an interface.
func address(name string, configuration map[string]any) any {
	in := map[string]any{"networkInterfaceName": name, "resourceGroupName": "shop-group"}
	if configuration != nil {
		in["ipConfigurations"] = []any{configuration}
	}
	out := outputs("azure-native:network:NetworkInterface", "shop", in)
	return out["ipConfigurations"].([]any)[0].(map[string]any)["privateIPAddress"]
}

func TestInterfacesHaveTheRequestedAddress(t *testing.T) {
	t.Parallel()
	if got := address("it", map[string]any{"privateIPAddress": "10.240.0.5"}); got != "10.240.0.5" {
		t.Errorf("the address is %v", got)
	}
}

func TestAnInterfaceHasAnAddressThatFollowsFromItsName(t *testing.T) {
	t.Parallel()
	different := map[any]bool{}
	for i := range 200 {
		name := fmt.Sprintf("shop-win22-abc-%d", i)
		got := address(name, map[string]any{"name": "machine"})
		if got != address(name, nil) {
			t.Errorf("%s has the addresses %v and %v", name, got, address(name, nil))
		}
		var n int
		if _, err := fmt.Sscanf(got.(string), "10.240.0.%d", &n); err != nil || n < 132 || n > 254 {
			t.Errorf("%s has the address %v", name, got)
		}
		different[got] = true
	}
	if len(different) < 60 {
		t.Errorf("200 names have %d addresses", len(different))
	}
}

func TestOtherResourcesGetNothing(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{
		"kubernetes:core/v1:Secret", "azure-native:network:Route",
		"azure-native:containerservice:ManagedCluster",
	} {
		if got := outputs(typ, "it", nil); got != nil {
			t.Errorf("%s gets %v", typ, got)
		}
	}
}
