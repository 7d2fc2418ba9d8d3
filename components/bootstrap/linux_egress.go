package bootstrap

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
)

// egressNFT is what keeps pods from destinations outside the cluster.
const egressNFT = linuxConfig + "/egress.nft"

// egressFiles are those of a Linux node whose pods are kept from destinations.
func egressFiles(blocked []network.Destination) []File {
	if len(blocked) == 0 {
		return nil
	}
	return []File{
		{Path: egressNFT, Content: egressRules(blocked)},
		constant(systemdUnits + "/mixedkube-egress.service"),
		constant(systemdUnits + "/kubelet.service.d/20-egress.conf"),
	}
}

// egressRules is a file for nft. It replaces a table of its own in one transaction, so that
// pods reach nothing while it is loaded again.
//
// What a pod sends passes the hook forward, where the address is that of the endpoint if it
// went to a Service: kube-proxy's DNAT is at the hook prerouting. Only kube-proxy in the
// mode ipvs hands a packet on at the hook output; there a packet of the machine has one of
// the machine's own addresses, and that of a pod has not: masquerading comes later
// (https://wiki.nftables.org/wiki-nftables/index.php/Netfilter_hooks). That other tables
// accept a packet changes nothing: each chain of a hook is asked.
//
// Answers pass: Azure's load balancers ask whether pods are there from the address of the
// WireServer, and clients in a blocked range may connect to the cluster.
//
// The values are addresses and numbers, which cannot be anything else.
func egressRules(blocked []network.Destination) string {
	var rules strings.Builder
	for _, d := range blocked {
		fmt.Fprintf(&rules, "\t\tip daddr %s%s drop\n", d.CIDR, tcpPorts(d.TCPPorts))
	}
	return fmt.Sprintf(`table ip mixedkube_egress
delete table ip mixedkube_egress
table ip mixedkube_egress {
	chain blocked {
		ct direction reply accept
%s	}
	chain forward {
		type filter hook forward priority filter; policy accept;
		jump blocked
	}
	chain output {
		type filter hook output priority filter; policy accept;
		fib saddr type != local jump blocked
	}
}
`, rules.String())
}

// tcpPorts is the port match of a rule. It is empty if all ports are blocked.
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
