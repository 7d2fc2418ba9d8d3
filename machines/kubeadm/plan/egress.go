package plan

import (
	"net/netip"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var (
	// wireServer is the address that Azure's agent on a machine uses, and the address of Azure's
	// DNS (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). Its
	// ports 80 and 32526 serve the settings of the machine's extensions, including the protected
	// ones, and what decrypts them.
	wireServer = netip.MustParseAddr("168.63.129.16")
	// instanceMetadata serves tokens of the machine's identity
	// (https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service).
	instanceMetadata = netip.MustParseAddr("169.254.169.254")
)

// dnsPort is the port of Azure's DNS, which pods need.
const dnsPort = 53

// inAzure returns a network with its defaults that keeps pods from the services that Azure provides
// to the machine.
func inAzure(n network.Network, podsReachMetadata bool) network.Defaulted {
	n = n.Block(network.Destination{CIDR: only(wireServer), TCPPorts: []int{80, 32526}})
	if !podsReachMetadata {
		n = n.Block(network.Destination{CIDR: only(instanceMetadata)})
	}
	return n.WithDefaults()
}

// only returns the range of one address.
func only(address netip.Addr) netip.Prefix { return netip.PrefixFrom(address, address.BitLen()) }

var azureDNSBlocked = engine.Rule{
	Rule: rule.Rule{
		ID: "MK662", Severity: rule.Error, Title: "pods that do not reach Azure's DNS", Page: rulepages.Kubeadm,
		Reason: "The cluster's DNS runs in pods, and forwards queries for all other names to the server that Azure " +
			"gives the machine. Ignore the rule if the virtual network has DNS servers of its own.",
		Source: azurePages + "virtual-network/what-is-ip-address-168-63-129-16",
	},
	Checks: []engine.Check{engine.On(networks, func(n network.Defaulted) []rule.Problem {
		var found []rule.Problem
		for i, d := range n.BlockedEgress {
			if d.Reaches(netip.AddrPortFrom(wireServer, dnsPort)) {
				at := networkPath.Child("blockedEgress").Index(i).Child("cidr")
				found = append(found, invalid(at, d.CIDR.String(),
					"contains Azure's DNS, 168.63.129.16 with port 53, without which pods resolve no names",
					"use a range without it, or name other ports in tcpPorts"))
			}
		}
		return found
	})},
}
