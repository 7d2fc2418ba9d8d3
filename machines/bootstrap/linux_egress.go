package bootstrap

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	// egressNFT keeps pods from destinations that are not for them.
	egressNFT = linuxConfig + "/egress.nft"
	// egressIPv6NFT drops what a pod forges in IPv6. It is a file of its own, because a kernel
	// without IPv6 cannot load it.
	egressIPv6NFT = linuxConfig + "/egress-ipv6.nft"
)

// egressFiles returns the files of a Linux node whose pods are kept from destinations.
func egressFiles(n network.Defaulted) []File {
	if len(n.BlockedEgress) == 0 && n.Kind.OverlayPort() == 0 {
		return nil
	}
	return []File{
		{Path: egressNFT, Content: egressRules(n)},
		constant(egressIPv6NFT),
		constant(systemdUnits + "/mixedkube-egress.service"),
		constant(systemdUnits + "/kubelet.service.d/20-egress.conf"),
	}
}

// egressRules returns a file for nft. It replaces a table of its own in one transaction, so that
// pods reach nothing while it is loaded again.
//
// Packets of a pod pass the hook forward. Packets to a Service have the address of its endpoint
// there: kube-proxy's DNAT is at the hook prerouting. Only kube-proxy in the mode ipvs forwards
// a packet at the hook output. There a packet of the machine has one of the machine's own
// addresses, and a packet of a pod does not: masquerading comes later
// (https://wiki.nftables.org/wiki-nftables/index.php/Netfilter_hooks). It changes nothing if
// other tables accept a packet: every chain of a hook is evaluated.
//
// Answers pass: Azure's load balancers probe pods from the address of the WireServer, and
// clients in a blocked range may connect to the cluster. A pod with NET_RAW can send such a
// client's first packet itself. So a packet from a blocked range is dropped before connection
// tracking sees it, unless it arrives where an answer to it would leave (RFC 3704, 2.2). Each
// range has a rule, because the elements of a set must not overlap.
//
// In an overlay, packets to the nodes that look like their frames are dropped too, before
// answers pass. Other nodes could not tell them from this node's frames, whose address
// masquerading gives them. What a pod sends to an address of its own node, or to one that
// another node has in the pods' range, arrives at the hook input: there only nodes may send
// frames, and a pod that forges the address of a node has been dropped before. The frames of the
// nodes pass: they leave at the hook output with the node's address. Frames between pods and to
// addresses elsewhere pass, for those who run an overlay of their own in pods.
//
// The values are addresses and numbers, which cannot be anything else.
func egressRules(n network.Defaulted) string {
	var forged, rules strings.Builder
	port := n.Kind.OverlayPort()
	if port != 0 {
		fmt.Fprintf(&forged, "\t\tip saddr %s udp dport %d%s\n", n.NodeCIDR, port, dropForged)
		fmt.Fprintf(&rules, "\t\tip daddr %s udp dport %d drop\n", n.NodeCIDR, port)
	}
	rules.WriteString("\t\tct direction reply accept\n")
	for _, d := range n.BlockedEgress {
		fmt.Fprintf(&forged, "\t\tip saddr %s%s\n", d.CIDR, dropForged)
		fmt.Fprintf(&rules, "\t\tip daddr %s%s drop\n", d.CIDR, tcpPorts(d.TCPPorts))
	}
	var input string
	if port != 0 {
		input = fmt.Sprintf(`	chain input {
		type filter hook input priority filter; policy accept;
		ip saddr != %s udp dport %d drop
	}
`, n.NodeCIDR, port)
	}
	return fmt.Sprintf(`table ip mixedkube_egress
delete table ip mixedkube_egress
table ip mixedkube_egress {
	chain forged {
		type filter hook prerouting priority raw; policy accept;
%s	}
	chain blocked {
%s	}
	chain forward {
		type filter hook forward priority filter; policy accept;
		jump blocked
	}
	chain output {
		type filter hook output priority filter; policy accept;
		fib saddr type != local jump blocked
	}
%s}
`, forged.String(), rules.String(), input)
}

// dropForged drops packets from addresses to which the machine has no route by the interface
// where they arrive.
const dropForged = " fib saddr . iif oif missing drop"

// tcpPorts returns the port match of a rule. It is empty if all ports are blocked.
func tcpPorts(ports []int) string {
	if len(ports) == 0 {
		return ""
	}
	texts := make([]string, len(ports))
	for i, port := range ports {
		texts[i] = strconv.Itoa(port)
	}
	return " tcp dport { " + strings.Join(texts, ", ") + " }"
}
