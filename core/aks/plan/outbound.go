package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var outboundAgainstSubnet = engine.Rule{
	Rule: rule.Rule{
		ID: "MK730", Severity: rule.Error, Title: "an outbound type that does not match the nodes' subnet",
		Page: rulepages.AKS,
		Reason: "A NAT gateway that Azure creates needs a network that Azure creates, and so does the type block. " +
			"Your own NAT gateway or route is on your own subnet, which all nodes then need. This library cannot " +
			"check what is on that subnet.",
		Fix:    "set the ID of a subnet",
		Source: aks + "egress-outboundtype, " + natPage + ", " + aks + "egress-udr",
	},
	Checks: []engine.Check{engine.On(networks, outboundSubnets)},
}

var (
	// inNetworkOfAzure are the types that need a network that Azure creates, and inOwnNetwork are the types that need a
	// network of the user.
	inNetworkOfAzure = []OutboundType{ManagedNATGateway, ManagedNATGatewayV2, BlockedOutbound}
	inOwnNetwork     = []OutboundType{UserAssignedNATGateway, UserDefinedRouting}
)

// outboundSubnets compares the outbound type with the subnets of the nodes.
func outboundSubnets(c network) []rule.Problem {
	outbound, subnet := c.network.OutboundType, c.network.NodeSubnetID
	switch {
	case slices.Contains(inNetworkOfAzure, outbound):
		what, instead := "is a NAT gateway", string(UserAssignedNATGateway)+", with a NAT gateway on the subnet"
		if outbound == BlockedOutbound {
			what, instead = "works", string(NoOutbound)+", with a security group on the subnet"
		}
		var found []rule.Problem
		for _, path := range c.configuredSubnets("nodeSubnetID", subnet, nodeSubnet) {
			found = append(found, rule.Problem{
				Path: path,
				Detail: fmt.Sprintf("the outbound type %s %s in a network that Azure creates, not in yours", outbound,
					what),
				Fix: fmt.Sprintf("use the outbound type %s, or remove the subnet", instead),
			})
		}
		return found
	// Mode pod-subnet requires the subnet already.
	case slices.Contains(inOwnNetwork, outbound) && c.network.Mode != PodSubnet:
		return c.subnetNeeded("the outbound type "+string(outbound), "network.nodeSubnetID", subnet, nodeSubnet)
	}
	return nil
}

var (
	outboundNATTooEarly = engine.Rule{
		Rule: rule.Rule{
			ID: "MK728", Severity: rule.Error, Title: "disableOutboundNAT before Kubernetes 1.26",
			Page:   rulepages.AKSPools,
			Reason: "Windows nodes have the setting since Kubernetes 1.26.",
			Source: natPage + "#disable-outboundnat-for-windows",
		},
		Checks: []engine.Check{engine.On(windowsPools, func(p pool) []rule.Problem {
			since := kubeversion.Version{Major: 1, Minor: 26}
			v, ok := kubeversion.Parse(p.KubernetesVersion)
			if !p.DisableOutboundNAT || !ok || v.Compare(since) >= 0 {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "disableOutboundNAT", Value: true,
				Detail: fmt.Sprintf("Windows nodes have the setting since Kubernetes %s, and this is %s", since, v),
				Fix:    fmt.Sprintf("use Kubernetes %s or newer, or remove it", since),
			}}
		})},
	}
	outboundNATNeeded = engine.Rule{
		Rule: rule.Rule{
			ID: "MK729", Severity: rule.Error, Title: "disableOutboundNAT with the outbound type loadBalancer",
			Page: rulepages.AKSPools,
			Reason: "Without the nodes' own translation the addresses of pods need another way out: a NAT gateway or " +
				"a route.",
			Fix: "use the outbound type managedNATGateway, userAssignedNATGateway or userDefinedRouting, or " +
				"remove it",
			Source: natPage + "#disable-outboundnat-for-windows",
		},
		Checks: []engine.Check{engine.On(windowsPools, func(p pool) []rule.Problem {
			if !p.DisableOutboundNAT || p.of.network.OutboundType != LoadBalancer {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "disableOutboundNAT", Value: true,
				Detail: "the outbound type of the cluster is loadBalancer, which needs the nodes' translation",
			}}
		})},
	}
)
