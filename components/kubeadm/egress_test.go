package kubeadm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	wireServerRule = "ip daddr 168.63.129.16/32 tcp dport { 80, 32526 } drop"
	metadataRule   = "ip daddr 169.254.169.254/32 drop"
)

// The files of every machine keep its pods from the services that Azure provides to the machine.
// The exception are Windows machines with Calico and Antrea, which have no configuration from this
// library.
func TestMachinesBlockAzureServicesForPods(t *testing.T) {
	t.Parallel()
	for _, k := range inAzure {
		for _, reach := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, the metadata service open: %t", k, reach), func(t *testing.T) {
				t.Parallel()
				args := kind(k)
				args.PodsReachInstanceMetadata = reach
				pool := goodPool(func(a *kubeadm.NodePoolArgs) {
					a.Network.Kind, a.RouteTableName = k, pulumi.String("routes")
					a.PodsReachInstanceMetadata = reach
				})
				graphs := []*mocktest.Graph{made(t, args), mocktest.MustRun(t, withProvider(pool), azure())}
				machines := slices.Concat(graphs[0].ByType(machineType), graphs[1].ByType(machineType))
				if len(machines) != 8 {
					t.Errorf("%d machines", len(machines))
				}
				for _, vm := range machines {
					data := unfolded(customData(t, vm))
					wireServer, metadata := wireServerRule, metadataRule
					if strings.Contains(vm.Name, "win22") {
						if k.IsCalico() || k == network.Antrea {
							continue
						}
						// The files are strings in JSON.
						wireServer, metadata = `\"RemoteAddresses\": \"168.63.129.16/32\"`,
							`\"RemoteAddresses\": \"169.254.169.254/32\"`
					}
					if !strings.Contains(data, wireServer) {
						t.Errorf("pods of %s reach the WireServer", vm)
					}
					if got := !strings.Contains(data, metadata); got != reach {
						t.Errorf("pods of %s reach the metadata service: %t", vm, got)
					}
				}
			})
		}
	}
}

// The policies for Calico and Antrea follow from the cluster, including the destinations that the
// component adds.
func TestTheClusterHasThePoliciesOfItsNetwork(t *testing.T) {
	t.Parallel()
	for k, want := range map[network.Kind]int{network.FlannelVXLAN: 0, network.CalicoVXLAN: 2, network.Antrea: 1} {
		mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			c, err := kubeadm.NewCluster(ctx, "shop", kind(k))
			if err != nil {
				return err
			}
			equal(t, string(k), want, len(c.Network.EgressPolicies()))
			var blocked []string
			for _, d := range c.Network.BlockedEgress {
				blocked = append(blocked, d.CIDR.String())
			}
			equal(t, string(k), []string{"168.63.129.16/32", "169.254.169.254/32"}, blocked)
			return nil
		}, azure())
	}
}
