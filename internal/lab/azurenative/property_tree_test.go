package azurenative

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files of properties from the SDK")

func TestThePropertiesAreThoseOfTheSDK(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		module, name, args string
		depth              int
	}{
		{"authorization", "RoleAssignment", "roleAssignmentArgs", 4},
		{"compute", "VirtualMachine", "virtualMachineArgs", 4},
		{"compute", "VirtualMachineExtension", "virtualMachineExtensionArgs", 4},
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
			path := filepath.Join("properties", x.name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(have)); diff != "" {
				t.Errorf("%s is not what the SDK has (-SDK +file); write it with -update:\n%s", path, diff)
			}
		})
	}
}
