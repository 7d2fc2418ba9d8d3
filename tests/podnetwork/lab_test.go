//go:build linux

package podnetwork

import (
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	// podPort is where every pod listens.
	podPort = 7777
	// uplink is what a machine calls its card.
	uplink = "eth0"
)

// lab is a network with the addresses of a plan: a link with the machines on it, each
// with a bridge that one pod is connected to.
//
//	pod - bridge (gateway) node - link - node (gateway) bridge - pod
//	                               |
//	                             router, of upstream-l3
type lab struct {
	plan  network.Plan
	nodes []namespace
	// router is nil if the network has none.
	router *namespace
	pods   []*net.UDPConn
}

// newLab sets the addresses and routes of the plan.
func newLab(t *testing.T, n network.Defaulted, p network.Plan) *lab {
	t.Helper()
	l := &lab{plan: p}
	link := newNamespace(t, "link")
	link.ip(t, "link add name switch type bridge", "link set switch up")
	connect := func(ns namespace, address netip.Addr) {
		port := fmt.Sprintf("port%d", address.As4()[3])
		ns.ip(t,
			fmt.Sprintf("link add name %s type veth peer name %s netns %s", uplink, port, link.path()),
			fmt.Sprintf("address add %s/%d dev %s", address, n.NodeCIDR.Bits(), uplink),
			"link set "+uplink+" up")
		link.ip(t, "link set "+port+" master switch up")
	}

	var toRouter string
	if len(p.Router) > 0 {
		// No node of the plan has this address.
		address := netip.MustParseAddr("10.0.0.254")
		router := newNamespace(t, "router")
		connect(router, address)
		toRouter = "route add default via " + address.String()
		for _, route := range p.Router {
			router.ip(t, add(route))
		}
		l.router = &router
	}
	for _, node := range p.Nodes {
		machine := newNamespace(t, node.Name)
		connect(machine, node.Address)
		if toRouter != "" {
			machine.ip(t, toRouter)
		}
		for _, route := range node.Routes {
			machine.ip(t, add(route))
		}
		l.nodes = append(l.nodes, machine)
		l.pods = append(l.pods, newPod(t, machine, node))
	}
	return l
}

// newPod connects a pod to its node, as the bridge plugin does, and listens there.
func newPod(t *testing.T, machine namespace, node network.NodePlan) *net.UDPConn {
	t.Helper()
	pod := newNamespace(t, "pod of "+node.Name)
	bits := node.PodCIDR.Bits()
	machine.ip(t,
		"link add name cni0 type bridge",
		fmt.Sprintf("address add %s/%d dev cni0", node.Gateway, bits),
		"link set cni0 up",
		"link add name pod type veth peer name eth0 netns "+pod.path(),
		"link set pod master cni0 up")
	pod.ip(t,
		fmt.Sprintf("address add %s/%d dev eth0", node.FirstPod, bits),
		"link set eth0 up",
		"route add default via "+node.Gateway.String())
	var conn *net.UDPConn
	pod.do(t, func() (err error) {
		// A socket stays in the namespace that it was created in.
		conn, err = net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(node.FirstPod, podPort)))
		return err
	})
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func add(r network.Route) string { return fmt.Sprintf("route add %s via %s", r.Destination, r.NextHop) }

func remove(r network.Route) string {
	return fmt.Sprintf("route delete %s via %s", r.Destination, r.NextHop)
}
