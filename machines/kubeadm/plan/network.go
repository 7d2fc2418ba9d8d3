package plan

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var (
	rangeTooSmall = rule.Rule{
		ID: "MK652", Severity: rule.Error, Title: "a range of the nodes that is too small for two subnets",
		Reason: "The first eighth of the range is the subnet of the control plane, and its second half is the subnet " +
			"of the nodes. Azure reserves five addresses of each.",
		Source:    subnetsPage,
		Mandatory: true,
	}
	tooManyMachines = rule.Rule{
		ID: "MK653", Severity: rule.Error, Title: "more machines than there is room for",
		Reason: "Each machine has an address in the nodes' subnet, and without an overlay a route in a table of at " +
			"most 400. Kubernetes supports 5000 nodes in a cluster.",
		Source:    limitsPage + "#networking-limits, https://kubernetes.io/docs/setup/best-practices/cluster-large/",
		Mandatory: true,
	}
)

// mostRoutes is Azure's limit for a route table.
const mostRoutes = 400

// network reports whether there are addresses for all machines. If not, it adds a finding.
func (c *check) network(cluster Defaulted, path *field.Path) bool {
	if !c.podNetwork(cluster.Network, path) {
		return false
	}
	cidr := cluster.Network.NodeCIDR
	if cidr.Bits() > longestNodePrefix {
		c.Report(rangeTooSmall, invalid(path.Child("nodeCIDR"), cidr.String(),
			"the control plane's subnet is its first eighth, and the nodes' its second half",
			fmt.Sprintf("use /%d or a larger range", longestNodePrefix)))
		return false
	}
	workers := 0
	for _, pool := range cluster.Pools {
		workers += min(max(pool.Count, 0), math.MaxInt-workers) // without overflow
	}
	routes := workers + cluster.ControlPlane.Count
	_, nodes := cluster.Subnets()
	switch {
	case workers > topology.MaxCount:
		c.Report(tooManyMachines, invalid(field.NewPath("pools"), workers,
			"more machines than Kubernetes supports in a cluster", fmt.Sprintf("use at most %d", topology.MaxCount)))
	case cluster.Network.Kind.Planned() && routes > mostRoutes:
		c.Report(tooManyMachines, invalid(field.NewPath("pools"), routes,
			fmt.Sprintf("a route table of Azure has at most %d routes, one for each machine", mostRoutes),
			"use fewer machines, or an overlay"))
	case workers > room(nodes):
		c.Report(tooManyMachines, invalid(path.Child("nodeCIDR"), cidr.String(),
			fmt.Sprintf("the nodes' subnet, its second half, has room for %d machines, and the pools have %d",
				room(nodes), workers),
			"use a larger range"))
	default:
		return true
	}
	return false
}

var networkNotInAzure = rule.Rule{
	ID: "MK651", Severity: rule.Error, Title: "a network whose packets Azure does not forward",
	Reason: "Azure's network forwards packets only to addresses that it has assigned, or that are in a route table. " +
		"Calico without an overlay chooses the ranges of pods itself, and nothing adds them to a route table.",
	Source:    "https://docs.tigera.io/calico/latest/reference/public-cloud/azure",
	Mandatory: true,
}

// podNetwork reports whether the network has ranges, and works in Azure. If not, it adds findings.
func (c *check) podNetwork(n network.Defaulted, path *field.Path) bool {
	errs := n.Validate(path)
	c.bootstrap(errs)
	c.dns(n, path.Child("blockedEgress"))
	if n.Kind == network.CalicoBGP {
		c.Report(networkNotInAzure, invalid(path.Child("kind"), string(n.Kind),
			"Azure's network drops packets of pods unless its route table has their ranges, and nothing adds the "+
				"ranges that Calico chooses",
			"use calico-vxlan"))
	}
	return len(errs) == 0 && n.Kind != network.CalicoBGP
}
