package azurenative

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestPropertiesMatchTheSDK(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		module, name, args string
		depth              int
	}{
		{"authorization", "RoleAssignment", "roleAssignmentArgs", 4},
		{"compute", "VirtualMachine", "virtualMachineArgs", 4},
		{"compute", "VirtualMachineExtension", "virtualMachineExtensionArgs", 4},
		{"compute", "VirtualMachineRunCommandByVirtualMachine", "virtualMachineRunCommandByVirtualMachineArgs", 4},
		{"compute", "VirtualMachineScaleSet", "virtualMachineScaleSetArgs", 5},
		{"containerservice", "AgentPool", "agentPoolArgs", 4},
		{"containerservice", "ManagedCluster", "managedClusterArgs", 4},
		{"managedidentity", "UserAssignedIdentity", "userAssignedIdentityArgs", 4},
		{"network", "LoadBalancer", "loadBalancerArgs", 3},
		{"network", "NatGateway", "natGatewayArgs", 3},
		{"network", "NetworkInterface", "networkInterfaceArgs", 3},
		{"network", "NetworkSecurityGroup", "networkSecurityGroupArgs", 3},
		{"network", "PublicIPAddress", "publicIPAddressArgs", 2},
		{"network", "Route", "routeArgs", 4},
		{"network", "RouteTable", "routeTableArgs", 3},
		{"network", "Subnet", "subnetArgs", 3},
		{"network", "VirtualNetwork", "virtualNetworkArgs", 3},
		{"resources", "ResourceGroup", "resourceGroupArgs", 4},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			want := strings.Join(loadSDK(t, x.module).paths(x.args, x.name, x.depth), "\n") + "\n"
			golden.Equal(t, "properties/"+x.name+".txt", want)
		})
	}
}
