package plan

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var (
	rangeTooSmall = engine.Rule{
		Rule: rule.Rule{
			ID: "MK652", Severity: rule.Error, Title: "a range of the nodes that is too small for two subnets",
			Page: rulepages.Kubeadm,
			Reason: "The first eighth of the range is the subnet of the control plane, and its second half is the " +
				"subnet of the nodes. Azure reserves five addresses of each.",
			Source:    subnetsPage,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
			cidr := c.Network.NodeCIDR
			if !rangesKnown(c.Network) || cidr.Bits() <= longestNodePrefix {
				return nil
			}
			return []rule.Problem{invalid(networkPath.Child("nodeCIDR"), cidr.String(),
				"the control plane's subnet is its first eighth, and the nodes' its second half",
				fmt.Sprintf("use /%d or a larger range", longestNodePrefix))}
		})},
	}
	tooManyMachines = engine.Rule{
		Rule: rule.Rule{
			ID: "MK653", Severity: rule.Error, Title: "more machines than there is room for", Page: rulepages.Kubeadm,
			Reason: "Each machine has an address in the nodes' subnet, and without an overlay a route in a table of " +
				"at most 400. Kubernetes supports 5000 nodes in a cluster.",
			Source: limitsPage + "#networking-limits, " +
				"https://kubernetes.io/docs/setup/best-practices/cluster-large/",
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(divided, withoutRoom), engine.On(joinings, tooManyJoining)},
	}
)

// mostRoutes is Azure's limit for a route table.
const mostRoutes = 400

var networkPath = field.NewPath("network")

// rangesKnown reports whether the network has valid ranges, and works in Azure.
func rangesKnown(n network.Defaulted) bool {
	return len(n.Validate(networkPath)) == 0 && n.Kind != network.CalicoBGP
}

// hasSubnets reports whether the ranges of the nodes can be divided.
func (c Defaulted) hasSubnets() bool {
	return rangesKnown(c.Network) && c.Network.NodeCIDR.Bits() <= longestNodePrefix
}

// divided are clusters whose machines have subnets, and roomy those that also have addresses for all machines.
var (
	divided = &engine.Scope[Defaulted]{Name: "clusters on virtual machines", Has: Defaulted.hasSubnets}
	roomy   = &engine.Scope[Defaulted]{
		Name: "clusters on virtual machines",
		Has:  func(c Defaulted) bool { return c.hasSubnets() && c.machines().limit == "" },
	}
)

// counted is the number of machines, or of routes to them, and the limit that is exceeded, "" if none is.
type counted struct {
	limit
	count int
}

// limit limits the number of machines.
type limit string

const (
	ofKubernetes limit = "nodes of a cluster"
	ofRoutes     limit = "routes"
	ofSubnet     limit = "addresses"
)

// machines counts the machines of the pools.
func (c Defaulted) machines() counted {
	workers := 0
	for _, pool := range c.Pools {
		workers += min(max(pool.Count, 0), math.MaxInt-workers) // without overflow
	}
	routes := workers + c.ControlPlane.Count
	_, nodes := c.Subnets()
	switch {
	case workers > topology.MaxCount:
		return counted{ofKubernetes, workers}
	case c.Network.Kind.Planned() && routes > mostRoutes:
		return counted{ofRoutes, routes}
	case workers > room(nodes):
		return counted{ofSubnet, workers}
	default:
		return counted{"", workers}
	}
}

// withoutRoom finds more machines than there are addresses or routes for.
func withoutRoom(c Defaulted) []rule.Problem {
	machines := c.machines()
	switch machines.limit {
	case ofKubernetes:
		return []rule.Problem{invalid(field.NewPath("pools"), machines.count,
			"more machines than Kubernetes supports in a cluster", fmt.Sprintf("use at most %d", topology.MaxCount))}
	case ofRoutes:
		return []rule.Problem{invalid(field.NewPath("pools"), machines.count,
			fmt.Sprintf("a route table of Azure has at most %d routes, one for each machine", mostRoutes),
			"use fewer machines, or an overlay")}
	case ofSubnet:
		_, nodes := c.Subnets()
		return []rule.Problem{invalid(networkPath.Child("nodeCIDR"), c.Network.NodeCIDR.String(),
			fmt.Sprintf("the nodes' subnet, its second half, has room for %d machines, and the pools have %d",
				room(nodes), machines.count),
			"use a larger range")}
	}
	return nil
}

var networkNotInAzure = engine.Rule{
	Rule: rule.Rule{
		ID: "MK651", Severity: rule.Error, Title: "a network whose packets Azure does not forward",
		Page: rulepages.Kubeadm,
		Reason: "Azure's network forwards packets only to addresses that it has assigned, or that are in a route " +
			"table. Calico without an overlay chooses the ranges of pods itself, and nothing adds them to a route " +
			"table.",
		Source:    "https://docs.tigera.io/calico/latest/reference/public-cloud/azure",
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(networks, func(n network.Defaulted) []rule.Problem {
		if n.Kind != network.CalicoBGP {
			return nil
		}
		return []rule.Problem{invalid(networkPath.Child("kind"), string(n.Kind),
			"Azure's network drops packets of pods unless its route table has their ranges, and nothing adds the "+
				"ranges that Calico chooses",
			"use calico-vxlan")}
	})},
}
