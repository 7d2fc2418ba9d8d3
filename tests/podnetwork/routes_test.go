//go:build linux

package podnetwork

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	// timeout is how long a packet that has to arrive may take, with others of its
	// kind after it.
	timeout = 10 * time.Second
	// silence is how long to wait for one that must not arrive.
	silence = 300 * time.Millisecond
	// again is the time until a packet that has not arrived is sent again.
	again = 50 * time.Millisecond
)

// pair is a way, from the pod of one node to that of another.
type pair struct{ from, to int }

// leftOut is a missing route, on a node or at the router (-1).
type leftOut struct {
	at    int
	route network.Route
}

// The pods need each of the planned routes to reach each other: without one, exactly the ways
// that it serves fail.
func TestPlannedRoutes(t *testing.T) {
	needNamespaces(t)
	for _, kind := range []network.Kind{network.UpstreamL3, network.HostGateway} {
		t.Run(string(kind), func(t *testing.T) {
			n, p := planned(t, kind)
			l := newLab(t, n, p)
			rounds := newRounds(l)
			rounds.want(t, "with all routes", nil)
			routes := l.routes()
			if want := map[network.Kind]int{network.UpstreamL3: 3, network.HostGateway: 6}[kind]; len(routes) != want {
				t.Errorf("there are %d routes, want %d", len(routes), want)
			}
			for _, out := range routes {
				where := l.at(out)
				where.ip(t, remove(out.route))
				rounds.want(t, fmt.Sprintf("without the route to %s on %s", out.route.Destination, where.name),
					l.broken(out))
				where.ip(t, add(out.route))
			}
			rounds.want(t, "with all routes again", nil)
		})
	}
}

func (l *lab) routes() []leftOut {
	var all []leftOut
	for _, route := range l.plan.Router {
		all = append(all, leftOut{-1, route})
	}
	for i, node := range l.plan.Nodes {
		for _, route := range node.Routes {
			all = append(all, leftOut{i, route})
		}
	}
	return all
}

// at returns where a route is.
func (l *lab) at(out leftOut) namespace {
	if out.at < 0 {
		return *l.router
	}
	return l.nodes[out.at]
}

// broken returns the ways that need a route: those to the pods that it leads to, from the
// node that has it or, at the router, from all others.
func (l *lab) broken(out leftOut) []pair {
	to := slices.IndexFunc(l.plan.Nodes, func(n network.NodePlan) bool { return n.PodCIDR == out.route.Destination })
	var pairs []pair
	for from := range l.plan.Nodes {
		if from != to && (out.at < 0 || out.at == from) {
			pairs = append(pairs, pair{from, to})
		}
	}
	return pairs
}

// rounds send a packet from every pod to every other, and see which arrive. Each way is
// looked at by itself, as an answer needs another one.
type rounds struct {
	lab    *lab
	number uint32

	mu      sync.Mutex
	arrived map[pair]bool
	strange []string
}

func newRounds(l *lab) *rounds {
	r := &rounds{lab: l}
	for to := range l.pods {
		go r.receive(to)
	}
	return r
}

// receive notes the packets of the present round that reach a pod, until it is closed.
func (r *rounds) receive(to int) {
	buffer := make([]byte, 16)
	for {
		size, sender, err := r.lab.pods[to].ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		from := slices.IndexFunc(r.lab.plan.Nodes, func(n network.NodePlan) bool { return n.FirstPod == sender.Addr() })
		r.mu.Lock()
		switch {
		case from < 0:
			// Addresses must not change between pods.
			r.strange = append(r.strange, fmt.Sprintf("a packet from %s reached %s", sender, r.lab.plan.Nodes[to].Name))
		case size == 4 && binary.BigEndian.Uint32(buffer) == r.number:
			r.arrived[pair{from, to}] = true
		}
		r.mu.Unlock()
	}
}

// want wants all ways but some.
func (r *rounds) want(t *testing.T, what string, broken []pair) {
	t.Helper()
	r.mu.Lock()
	r.number++
	r.arrived = map[pair]bool{}
	r.mu.Unlock()
	start := time.Now()
	for {
		r.send()
		time.Sleep(again)
		got := r.missing()
		// Ways that need time get it, and ways that must fail are observed long enough.
		enough := len(broken) == 0 || time.Since(start) > silence
		if enough && (slices.Equal(got, broken) || time.Since(start) > timeout || len(got) < len(broken)) {
			if diff := gocmp.Diff(r.names(broken), r.names(got)); diff != "" {
				t.Fatalf("%s: ways that fail (-want +got):\n%s", what, diff)
			}
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, text := range r.strange {
		t.Errorf("%s: %s", what, text)
	}
	r.strange = nil
}

// send sends the packets that have not arrived, once. A packet without a receiver is not an
// error here.
func (r *rounds) send() {
	var packet [4]byte
	binary.BigEndian.PutUint32(packet[:], r.number)
	for _, p := range r.missing() {
		_, _ = r.lab.pods[p.from].WriteToUDPAddrPort(packet[:],
			netip.AddrPortFrom(r.lab.plan.Nodes[p.to].FirstPod, podPort))
	}
}

// missing returns the ways on which nothing has arrived in this round.
func (r *rounds) missing() []pair {
	r.mu.Lock()
	defer r.mu.Unlock()
	var pairs []pair
	for from := range r.lab.pods {
		for to := range r.lab.pods {
			if p := (pair{from, to}); from != to && !r.arrived[p] {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return pairs
}

func (r *rounds) names(pairs []pair) []string {
	var names []string
	for _, p := range pairs {
		names = append(names, r.lab.plan.Nodes[p.from].Name+" to "+r.lab.plan.Nodes[p.to].Name)
	}
	return names
}
