package plan_test

import (
	"net/netip"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

var (
	wireServer = network.Destination{
		CIDR: netip.MustParsePrefix("168.63.129.16/32"), TCPPorts: []int{80, 32526},
	}
	metadata = network.Destination{CIDR: netip.MustParsePrefix("169.254.169.254/32")}
)

// Whatever else is blocked, pods are kept from the services that Azure provides to the machine, and
// no argument opens the WireServer.
func TestAzureServicesAreBlockedForPods(t *testing.T) {
	t.Parallel()
	own := network.Destination{CIDR: netip.MustParsePrefix("203.0.113.0/24")}
	ports := network.Destination{CIDR: wireServer.CIDR, TCPPorts: []int{8080, 80}}
	for _, tt := range []struct {
		name             string
		configured, want []network.Destination
		reach            bool
	}{
		{"by default", nil, []network.Destination{wireServer, metadata}, false},
		{"the argument", nil, []network.Destination{wireServer}, true},
		{
			"one's own",
			[]network.Destination{own},
			[]network.Destination{own, wireServer, metadata},
			false,
		},
		{
			"further ports",
			[]network.Destination{ports},
			[]network.Destination{{CIDR: wireServer.CIDR, TCPPorts: []int{8080, 80, 32526}}, metadata},
			false,
		},
		{
			"a configured one takes precedence over the argument",
			[]network.Destination{metadata},
			[]network.Destination{metadata, wireServer},
			true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range inAzure {
				c := good(kind, func(c *plan.Cluster) {
					c.Network.BlockedEgress, c.PodsReachInstanceMetadata = tt.configured, tt.reach
				})
				equal(t, "a cluster's", tt.want, c.Network.BlockedEgress)
				equal(t, "its machines'", tt.want, c.Bootstrap(nil).Network.BlockedEgress)
				j := joining(func(j *plan.Joining) {
					j.Network.Kind, j.Network.BlockedEgress, j.PodsReachInstanceMetadata = kind, tt.configured, tt.reach
				}).WithDefaults()
				equal(t, "a pool's", tt.want, j.Network.BlockedEgress)
				equal(t, "the machines' of a pool", tt.want, j.Bootstrap(nil).Network.BlockedEgress)
			}
		})
	}
}
