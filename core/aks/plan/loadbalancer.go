package plan

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	basicLoadBalancer = engine.Rule{
		Rule: rule.Rule{
			ID: "MK858", Severity: rule.Error, Title: "a cluster with a Basic load balancer",
			Page:   rulepages.AKSNetworks,
			Reason: "Azure has retired the load balancers of the SKU Basic, and AKS creates no clusters with them.",
			Fix:    "remove it: Standard is the default",
			Source: aks + "upgrade-basic-load-balancer-on-aks",
		},
		Checks: []engine.Check{engine.On(creations, func(c creation) []rule.Problem {
			const path = "networkProfile.loadBalancerSku"
			sku := open(option(c.Options, path))
			if !strings.EqualFold(sku, "basic") {
				return nil
			}
			return []rule.Problem{{Path: "options." + path, Value: sku, Detail: "AKS creates no clusters with it"}}
		})},
	}
	outboundNumbers = engine.Rule{
		Rule: rule.Rule{
			ID: "MK859", Severity: rule.Error,
			Title: "addresses or ports of the outbound traffic that Azure does not accept",
			Page:  rulepages.AKSNetworks,
			Reason: "A load balancer has outbound addresses of one kind. Each address has 64000 ports, and each node " +
				"takes allocatedOutboundPorts of them, a multiple of 8: the nodes of all pools need enough " +
				"addresses, with those that an upgrade adds.",
			Source: aks + "configure-load-balancer-standard, " + aks + "nat-gateway, " + clusterAPI,
		},
		Checks: []engine.Check{engine.On(creations, wrongOutboundNumbers)},
	}
)

// outboundKinds are the ways to set the addresses of a load balancer.
var outboundKinds = []string{"managedOutboundIPs", "outboundIPs", "outboundIPPrefixes"}

func wrongOutboundNumbers(c creation) []rule.Problem {
	const at, nat = "networkProfile.loadBalancerProfile.", "networkProfile.natGatewayProfile."
	var problems []rule.Problem
	for _, number := range []struct {
		path     string
		accepted facts.Range
	}{
		{at + "managedOutboundIPs.count", facts.AKSOutboundIPs},
		{at + "allocatedOutboundPorts", facts.AKSOutboundPorts},
		{at + "idleTimeoutInMinutes", facts.AKSOutboundIdle},
		{nat + "managedOutboundIPProfile.count", facts.AKSNATIPs},
		{nat + "idleTimeoutInMinutes", facts.AKSOutboundIdle},
	} {
		if n, known := openInt(option(c.Options, number.path)); known && !number.accepted.Has(n) {
			problems = append(problems, rule.Problem{
				Path: "options." + number.path, Value: n,
				Detail: fmt.Sprintf("not between %d and %d", number.accepted.Min, number.accepted.Max),
				Fix:    "use a number in this range, or remove it",
			})
		}
	}
	var kinds []string
	for _, kind := range outboundKinds {
		if option(c.Options, at+kind) != nil {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) > 1 {
		problems = append(problems, rule.Problem{
			Path: "options." + strings.TrimSuffix(at, "."), Detail: "has " + join(kinds, "and"), Fix: "use one of them",
		})
	}
	return append(problems, c.wrongPorts(at, kinds)...)
}

// wrongPorts compares the ports of all nodes with those of the outbound addresses, if their number is known.
func (c creation) wrongPorts(at string, kinds []string) []rule.Problem {
	ports, known := openInt(option(c.Options, at+"allocatedOutboundPorts"))
	if !known || !facts.AKSOutboundPorts.Has(ports) || ports == 0 {
		return nil
	}
	found := rule.Problem{Path: "options." + at + "allocatedOutboundPorts", Value: ports}
	if step := facts.AKSOutboundPortsStep; ports%step != 0 {
		found.Detail = fmt.Sprintf("not a multiple of %d", step)
		found.Fix = fmt.Sprintf("use %d", (ports+step-1)/step*step)
		return []rule.Problem{found}
	}
	addresses := 1
	if len(kinds) > 0 {
		switch kinds[0] {
		case "managedOutboundIPs":
			count := option(c.Options, at+"managedOutboundIPs.count")
			n, known := openInt(count)
			if count != nil && !known {
				return nil
			}
			addresses = max(1, n)
		case "outboundIPs":
			addresses = len(tree.List(option(c.Options, at+"outboundIPs.publicIPs")))
		default: // the number of addresses in a prefix is not known
			return nil
		}
	}
	nodes := c.mostNodes()
	if addresses == 0 || nodes*ports <= addresses*facts.AKSPortsOfAddress {
		return nil
	}
	found.Detail = fmt.Sprintf("%d nodes in an upgrade need %d ports, and the outbound addresses have %d", nodes,
		nodes*ports, addresses*facts.AKSPortsOfAddress)
	found.Fix = fmt.Sprintf("use %d outbound addresses or more, or fewer ports",
		(nodes*ports+facts.AKSPortsOfAddress-1)/facts.AKSPortsOfAddress)
	return []rule.Problem{found}
}

// mostNodes returns how many nodes the pools have together at most, in an upgrade.
func (c creation) mostNodes() int {
	most := 0
	for _, p := range c.of.pools {
		most += p.mostNodes()
	}
	return most
}

// mostNodes returns how many nodes the pool has at most, in an upgrade.
func (p pool) mostNodes() int {
	largest := max(p.Count, p.Autoscaling.Max)
	return largest + surgeOf(p.Upgrade, largest)
}
