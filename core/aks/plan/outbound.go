package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

func (c *check) outboundType(path string, outbound OutboundType) {
	if outbound == ManagedNATGatewayV2 {
		c.Report(networkValueUnknown, rule.Problem{
			Severity: rule.Warning, Path: path, Value: string(outbound),
			Detail: "only some preview versions of Azure's API have it",
			Fix:    "use " + string(ManagedNATGateway),
		})
		return
	}
	c.isolated(path, string(outbound))
	c.unknownValue(path, string(outbound), "an outbound type", outboundTypes, isolatedTypes)
}

var outboundAgainstSubnet = rule.Rule{
	ID: "MK730", Severity: rule.Error, Title: "an outbound type that does not match the nodes' subnet",
	Reason: "A NAT gateway that Azure creates needs a network that Azure creates. Your own NAT gateway or route is " +
		"on your own subnet, which all nodes then need. This library cannot check what is on that subnet.",
	Source: aks + "egress-outboundtype, " + natPage + ", " + aks + "egress-udr",
}

var (
	// inNetworkOfAzure are the types that need a network that Azure creates, and inOwnNetwork are the types that need a
	// network of the user.
	inNetworkOfAzure = []OutboundType{ManagedNATGateway, ManagedNATGatewayV2}
	inOwnNetwork     = []OutboundType{UserAssignedNATGateway, UserDefinedRouting}
)

// outboundSubnets compares the outbound type with the subnets of the nodes.
func (c *check) outboundSubnets() {
	outbound := c.network.OutboundType
	switch {
	case slices.Contains(inNetworkOfAzure, outbound):
		for _, path := range c.configuredSubnets("nodeSubnetID", c.network.NodeSubnetID, nodeSubnet) {
			c.Report(outboundAgainstSubnet, rule.Problem{
				Path: path,
				Detail: fmt.Sprintf(
					"the outbound type %s is a NAT gateway in a network that Azure creates, not in yours", outbound,
				),
				Fix: "use the outbound type " + string(UserAssignedNATGateway) + ", with a NAT gateway on the " +
					"subnet, or remove the subnet",
			})
		}
	// Mode pod-subnet requires the subnet already.
	case slices.Contains(inOwnNetwork, outbound) && c.network.Mode != PodSubnet:
		c.subnetNeeded(outboundAgainstSubnet, "the outbound type "+string(outbound), "network.nodeSubnetID",
			c.network.NodeSubnetID, nodeSubnet)
	}
}

var (
	outboundNATTooEarly = rule.Rule{
		ID: "MK728", Severity: rule.Error, Title: "disableOutboundNAT before Kubernetes 1.26",
		Reason: "Windows nodes have the setting since Kubernetes 1.26.",
		Source: natPage + "#disable-outboundnat-for-windows",
	}
	outboundNATNeeded = rule.Rule{
		ID: "MK729", Severity: rule.Error, Title: "disableOutboundNAT with the outbound type loadBalancer",
		Reason: "Without the nodes' own translation the addresses of pods need another way out: a NAT gateway or a " +
			"route.",
		Source: natPage + "#disable-outboundnat-for-windows",
	}
)

func (c *check) outboundNAT(p pool) {
	if !p.DisableOutboundNAT || !p.Platform.IsWindows() {
		return
	}
	path := p.at + "disableOutboundNAT"
	since := kubeversion.Version{Major: 1, Minor: 26}
	if v, ok := kubeversion.Parse(p.KubernetesVersion); ok && v.Compare(since) < 0 {
		c.Report(outboundNATTooEarly, rule.Problem{
			Path: path, Value: true,
			Detail: fmt.Sprintf("Windows nodes have the setting since Kubernetes %s, and this is %s", since, v),
			Fix:    fmt.Sprintf("use Kubernetes %s or newer, or remove it", since),
		})
	}
	if c.network.OutboundType == LoadBalancer {
		c.Report(outboundNATNeeded, rule.Problem{
			Path: path, Value: true,
			Detail: "the outbound type of the cluster is loadBalancer, which needs the nodes' translation",
			Fix: "use the outbound type managedNATGateway, userAssignedNATGateway or userDefinedRouting, or " +
				"remove it",
		})
	}
}
