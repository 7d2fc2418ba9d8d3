package bootstrap

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// blocking returns a cluster whose pods are kept from two addresses.
func blocking(c Cluster) Cluster {
	c.Network = c.Network.Block(
		network.Destination{CIDR: netip.MustParsePrefix("192.0.2.1/32"), TCPPorts: []int{80, 32526}},
		network.Destination{CIDR: netip.MustParsePrefix("198.51.100.0/24")},
	)
	return c
}

// Every Linux node has them, whatever its network; without such destinations those of an
// overlay, whose port is one.
func TestFilesThatBlockDestinationsForPods(t *testing.T) {
	t.Parallel()
	all := []string{
		"/etc/mixedkube/egress-ipv6.nft", "/etc/mixedkube/egress.nft",
		"/etc/systemd/system/kubelet.service.d/20-egress.conf",
		"/etc/systemd/system/mixedkube-egress.service",
	}
	for _, kind := range network.Kinds() {
		open := testCluster(kind, "1.36")
		wantOpen := all
		if kind.OverlayPort() == 0 {
			wantOpen = nil
		}
		for _, node := range []string{"cp-1", "cp-2", "linux-1"} {
			for _, tt := range []struct {
				name    string
				cluster Cluster
				want    []string
			}{{"open", open, wantOpen}, {"blocking", blocking(open), all}} {
				var got []string
				for path, file := range filesByPath(testMachine(t, tt.cluster, node)) {
					if strings.Contains(path, "egress") {
						got = append(got, path)
					}
					if path == egressNFT {
						golden.Equal(t, "testdata/linux/egress-"+tt.name+"/"+string(kind)+".nft", file.Content)
					}
				}
				if slices.Sort(got); !slices.Equal(got, tt.want) {
					t.Errorf("%s, %s: %s has %q, want %q", kind, tt.name, node, got, tt.want)
				}
			}
		}
	}
}

// Every unit that loads the rules replaces all of them, and loads the same ones.
func TestUnitsThatLoadTheRulesForPods(t *testing.T) {
	t.Parallel()
	const load = "/usr/sbin/nft --file " + egressNFT
	const loadIPv6 = "/bin/sh -c 'test ! -d /proc/sys/net/ipv6 || exec /usr/sbin/nft --file " + egressIPv6NFT + "'"
	files := filesByPath(testMachine(t, blocking(testCluster(network.FlannelVXLAN, "1.36")), "linux-1"))
	for path, lines := range map[string][]string{
		"/mixedkube-egress.service": {
			"After=nftables.service", "PartOf=nftables.service", "ReloadPropagatedFrom=nftables.service",
			"Before=kubelet.service", "Type=oneshot", "RemainAfterExit=yes", "ExecStart=" + load, "ExecReload=" + load,
			"ExecStart=" + loadIPv6, "ExecReload=" + loadIPv6,
		},
		"/kubelet.service.d/20-egress.conf": {
			"Requires=mixedkube-egress.service", "After=mixedkube-egress.service", "ExecStartPre=" + load,
			"ExecStartPre=" + loadIPv6,
		},
	} {
		unit := files[systemdUnits+path].Content
		for _, line := range lines {
			if !strings.Contains(unit, "\n"+line+"\n") {
				t.Errorf("%s has no %s:\n%s", path, line, unit)
			}
		}
	}
}

func TestBlockingTheEndpointForPodsIsRefused(t *testing.T) {
	t.Parallel()
	at := func(ports ...int) network.Destination {
		return network.Destination{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: ports}
	}
	const want = `network.blockedEgress[0].cidr: Invalid value: "203.0.113.0/24": has the endpoint 203.0.113.7:6443, ` +
		`where pods reach the API server: use a range without it, or other ports`
	for _, tt := range []struct {
		name, endpoint string
		blocked        network.Destination
		want           string
	}{
		{"a name", "api.example.com:6443", at(), ""},
		{"an address elsewhere", "198.51.100.7:6443", at(), ""},
		{"another port", "203.0.113.7:6443", at(80), ""},
		{"the port", "203.0.113.7:6443", at(80, 6443), want},
		{"everything", "203.0.113.7:6443", at(), want},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := testCluster(network.FlannelVXLAN, "1.36")
			c.Endpoint = tt.endpoint
			c.Network = c.Network.Block(tt.blocked)
			var got string
			if errs := c.Validate(nil); len(errs) > 0 {
				got = errs.ToAggregate().Error()
			}
			if got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}
