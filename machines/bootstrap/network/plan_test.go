package network_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	var (
		planned    = []netip.Prefix{prefix("10.96.0.0/12"), prefix("10.244.0.0/16"), prefix("10.0.0.0/24")}
		overlaid   = planned[:2]
		nodes      = someNodes(func(n []network.Node) { n[2].PodCIDR = prefix("10.244.128.0/20") })
		cp         = network.Route{Destination: prefix("10.244.4.0/24"), NextHop: addr("10.0.0.4")}
		winA       = network.Route{Destination: prefix("10.244.5.0/24"), NextHop: addr("10.0.0.5")}
		winB       = network.Route{Destination: prefix("10.244.128.0/20"), NextHop: addr("10.0.0.7")}
		withRanges = func(routes ...[]network.Route) []network.NodePlan {
			plans := []network.NodePlan{
				{
					Node: nodes[0], Gateway: addr("10.244.4.1"), FirstPod: addr("10.244.4.2"),
					LastPod: addr("10.244.4.254"), Direct: planned,
				},
				{
					Node: nodes[1], Gateway: addr("10.244.5.2"), FirstPod: addr("10.244.5.3"),
					LastPod: addr("10.244.5.254"), Direct: planned,
				},
				{
					Node: nodes[2], Gateway: addr("10.244.128.2"), FirstPod: addr("10.244.128.3"),
					LastPod: addr("10.244.143.254"), Direct: planned,
				},
			}
			plans[0].PodCIDR, plans[1].PodCIDR = cp.Destination, winA.Destination
			for i, r := range routes {
				plans[i].Routes = r
			}
			return plans
		}
	)
	t.Run("upstream-l3 has a route to each node", func(t *testing.T) {
		t.Parallel()
		want := network.Plan{Nodes: withRanges(), Router: []network.Route{cp, winA, winB}}
		wantPlan(t, plan(t, good(network.UpstreamL3, nil), nodes), want)
	})
	t.Run("host-gateway has those to the others on each node", func(t *testing.T) {
		t.Parallel()
		want := network.Plan{Nodes: withRanges([]network.Route{winA, winB}, []network.Route{cp, winB},
			[]network.Route{cp, winA})}
		wantPlan(t, plan(t, good(network.HostGateway, nil), nodes), want)
	})
	for _, kind := range []network.Kind{network.FlannelVXLAN, network.CalicoVXLAN, network.CalicoBGP, network.Antrea} {
		t.Run(string(kind)+" leaves ranges and routes to its controllers", func(t *testing.T) {
			t.Parallel()
			var want network.Plan
			for _, node := range someNodes(nil) {
				want.Nodes = append(want.Nodes, network.NodePlan{Node: node, Direct: overlaid})
			}
			wantPlan(t, plan(t, good(kind, nil), someNodes(nil)), want)
		})
	}
	t.Run("no nodes", func(t *testing.T) {
		t.Parallel()
		wantPlan(t, plan(t, good(network.UpstreamL3, nil), nil),
			network.Plan{Nodes: []network.NodePlan{}, Router: []network.Route{}})
	})
	t.Run("the smallest range has a pod on Windows", func(t *testing.T) {
		t.Parallel()
		nodes := someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.200.8/29") })[1:2]
		p := plan(t, good(network.UpstreamL3, nil), nodes).Nodes[0]
		if p.Gateway != addr("10.244.200.10") || p.FirstPod != addr("10.244.200.11") ||
			p.LastPod != addr("10.244.200.14") {
			t.Errorf("got %s, %s to %s", p.Gateway, p.FirstPod, p.LastPod)
		}
	})
}

func wantPlan(t *testing.T, got, want network.Plan) {
	t.Helper()
	if diff := cmp.Diff(want, got, byValue); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

// FuzzPlan generates networks of all sizes with nodes at any addresses, and checks what is
// true of every plan.
func FuzzPlan(f *testing.F) {
	f.Add(uint64(1), uint8(24), uint8(16), uint8(24), uint8(40))
	f.Add(uint64(2), uint8(16), uint8(8), uint8(26), uint8(200))
	f.Add(uint64(3), uint8(26), uint8(20), uint8(29), uint8(9))
	f.Add(uint64(4), uint8(30), uint8(28), uint8(29), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, nodeBits, podBits, mask, count uint8) {
		random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a test that can be repeated needs a seed
		n := network.Network{
			Kind:        []network.Kind{network.UpstreamL3, network.HostGateway}[seed%2],
			NodeCIDR:    netip.PrefixFrom(addr("10.0.0.0"), 9+int(nodeBits)%22), // /9 to /30
			PodCIDR:     netip.PrefixFrom(addr("11.0.0.0"), 8+int(podBits)%21),  // /8 to /28
			ServiceCIDR: prefix("172.16.0.0/12"),
		}
		n.NodeMaskSize = n.PodCIDR.Bits() + int(mask)%(30-n.PodCIDR.Bits()) // to /29
		nodes := randomNodes(random, n, int(count))
		whole := plan(t, n, nodes)
		wantConsistent(t, n, whole)

		// A node keeps its range whatever others come and go, and wherever it stands.
		some := slices.Clone(nodes)
		random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		some = some[:random.IntN(len(some)+1)]
		ranges := map[string]netip.Prefix{}
		for _, node := range whole.Nodes {
			ranges[node.Name] = node.PodCIDR
		}
		part := plan(t, n, some)
		wantConsistent(t, n, part)
		for _, node := range part.Nodes {
			if node.PodCIDR != ranges[node.Name] {
				t.Errorf("%s has %s among %d nodes and %s among %d", node.Name, ranges[node.Name], len(nodes),
					node.PodCIDR, len(some))
			}
		}
		wantPlan(t, plan(t, n, nodes), whole)
	})
}

// randomNodes have different addresses, all with a range.
func randomNodes(random *rand.Rand, n network.Network, count int) []network.Node {
	addresses := uint64(1) << (32 - n.NodeCIDR.Bits())
	usable := min(addresses-1, uint64(1)<<(n.NodeMaskSize-n.PodCIDR.Bits())) // without the broadcast address
	taken := map[uint64]bool{0: true}
	var nodes []network.Node
	for _, node := range numbered(n.NodeCIDR.Addr(), count) {
		number := random.Uint64N(usable)
		if taken[number] {
			continue
		}
		taken[number] = true
		first := n.NodeCIDR.Addr().As4()
		var b [4]byte
		binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(first[:])+uint32(number))
		node.Address = netip.AddrFrom4(b)
		node.Platform = platform.Linux
		if random.IntN(2) == 0 {
			node.Platform = platform.WindowsServer2022
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// wantConsistent looks at the plan of a routed network.
func wantConsistent(t *testing.T, n network.Network, p network.Plan) {
	t.Helper()
	for i, node := range p.Nodes {
		for _, other := range p.Nodes[:i] {
			if node.PodCIDR.Overlaps(other.PodCIDR) {
				t.Errorf("%s of %s and %s of %s overlap", node.PodCIDR, node.Name, other.PodCIDR, other.Name)
			}
		}
		if node.PodCIDR.Bits() != n.NodeMaskSize || !n.PodCIDR.Contains(node.PodCIDR.Addr()) ||
			node.PodCIDR != node.PodCIDR.Masked() {
			t.Errorf("%s has %s, which is not a /%d range of %s", node.Name, node.PodCIDR, n.NodeMaskSize, n.PodCIDR)
		}
		reserved := 1 // addresses before the first pod, beside the network address
		if node.Platform.IsWindows() {
			reserved = 2
		}
		at := node.PodCIDR.Addr()
		for range reserved {
			at = at.Next()
		}
		if node.Gateway != at || node.FirstPod != at.Next() {
			t.Errorf("%s (%s) has the gateway %s and the first pod %s in %s", node.Name, node.Platform, node.Gateway,
				node.FirstPod, node.PodCIDR)
		}
		if end := node.LastPod.Next(); !node.PodCIDR.Contains(end) || node.PodCIDR.Contains(end.Next()) {
			t.Errorf("%s has the last pod %s in %s", node.Name, node.LastPod, node.PodCIDR)
		}
		if n.Kind == network.HostGateway {
			others := slices.Delete(slices.Clone(p.Nodes), i, i+1)
			wantRoutes(t, node.Name, node.Routes, others)
		} else if len(node.Routes) > 0 {
			t.Errorf("%s has routes of its own: %v", node.Name, node.Routes)
		}
	}
	if n.Kind == network.UpstreamL3 {
		wantRoutes(t, "the router", p.Router, p.Nodes)
	} else if len(p.Router) > 0 {
		t.Errorf("there are routes for a router: %v", p.Router)
	}
}

// wantRoutes wants exactly one route to each of the nodes.
func wantRoutes(t *testing.T, whose string, got []network.Route, nodes []network.NodePlan) {
	t.Helper()
	if len(got) != len(nodes) {
		t.Errorf("%s has %d routes to %d nodes", whose, len(got), len(nodes))
		return
	}
	for i, node := range nodes {
		if want := (network.Route{Destination: node.PodCIDR, NextHop: node.Address}); got[i] != want {
			t.Errorf("%s has %v to %s, want %v", whose, got[i], node.Name, want)
		}
	}
}
