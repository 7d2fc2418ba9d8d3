package plan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var (
	identityNeeded = engine.Rule{
		Rule: rule.Rule{
			ID: "MK861", Severity: rule.Error, Title: "a resource of yours that needs an identity of your own",
			Page: rulepages.AKSNetworks,
			Reason: "AKS uses the resource as the identity of the cluster, which needs roles on it before the " +
				"cluster exists. An identity that Azure creates with the cluster has none, and Azure refuses it.",
			Fix: "set identity.userAssignedID to an identity with the roles that the page names",
			Source: aks + "pre-created-kubelet-managed-identity, " + aks + "api-server-vnet-integration, " + aks +
				"use-capacity-reservation-groups, " + aks + "use-azure-dedicated-hosts",
		},
		Checks: []engine.Check{engine.On(creations, needsIdentity)},
	}
	integrationSubnet = engine.Rule{
		Rule: rule.Rule{
			ID: "MK860", Severity: rule.Error, Title: "API Server VNet Integration without its subnet",
			Page: rulepages.AKSNetworks,
			Reason: "With nodes in a network of yours, the API server needs a subnet of its own there, without nodes " +
				"or pods.",
			Source: aks + "api-server-vnet-integration, https://github.com/pulumi/pulumi-azure-native/issues/4348",
		},
		Checks: []engine.Check{engine.On(creations, integrationSubnets)},
	}
	zoneNamed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK862", Severity: rule.Error, Title: "a private DNS zone that the API server cannot have",
			Page: rulepages.AKSNetworks,
			Reason: "A zone is named privatelink.REGION.azmk8s.io, or private.REGION.azmk8s.io with API Server VNet " +
				"Integration, and may have one more name of 1 to 32 characters in front. Without a zone, the API " +
				"server needs a public name.",
			Source: aks + "private-clusters",
		},
		Checks: []engine.Check{engine.On(creations, zoneNames)},
	}
)

const integration = "apiServerAccessProfile.enableVnetIntegration"

// mayIntegrate reports whether the program sets API Server VNet Integration, to a value that may be true.
func (c Cluster) mayIntegrate() bool {
	v := option(c.Options, integration)
	return v != nil && v != false
}

// needsIdentity finds options that Azure accepts only with an identity of the user.
func needsIdentity(c creation) []rule.Problem {
	if c.Identity.UserAssignedID != "" || option(c.Options, "servicePrincipalProfile") != nil {
		return nil
	}
	var problems []rule.Problem
	add := func(path, detail string) { problems = append(problems, rule.Problem{Path: path, Detail: detail}) }
	if option(c.Options, "identityProfile.kubeletidentity") != nil {
		add("options.identityProfile.kubeletidentity", "AKS gives nodes an identity of yours as the cluster's own "+
			"identity")
	}
	if isTrue(option(c.Options, integration)) && len(c.nodeSubnets()) > 0 {
		add("options."+integration, "the API server joins a network of yours")
	}
	for _, p := range c.of.pools {
		for _, name := range []string{"capacityReservationGroupID", "hostGroupID"} {
			if option(p.options.Options, name) != nil {
				add(p.optionsAt+"options."+name, "AKS uses the group as the cluster's identity")
			}
		}
	}
	return problems
}

// nodeSubnets returns the IDs of the subnets of nodes.
func (c creation) nodeSubnets() []string {
	var ids []string
	if id := c.Network.NodeSubnetID; id != "" {
		ids = append(ids, id)
	}
	for _, p := range c.of.pools {
		if id := p.options.NodeSubnetID; id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func integrationSubnets(c creation) []rule.Problem {
	const path = "apiServerAccessProfile.subnetId"
	subnet, nodes := option(c.Options, path), c.nodeSubnets()
	if isTrue(option(c.Options, integration)) && subnet == nil && len(nodes) > 0 {
		return []rule.Problem{{
			Path: "options." + integration, Value: true,
			Detail: "the nodes are in a subnet of yours, and the API server is in none",
			Fix:    "set options." + path,
		}}
	}
	id := open(subnet)
	for _, node := range nodes {
		if id != "" && strings.EqualFold(id, node) {
			return []rule.Problem{{
				Path: "options." + path, Value: id, Detail: "is a subnet of nodes",
				Fix: "use a subnet for the API server only",
			}}
		}
	}
	return nil
}

// zoneName matches the last part of the ID of a zone.
var zoneName = regexp.MustCompile(`(?i)^(?:[a-z0-9-]{1,32}\.)?(privatelink|private)\.[a-z0-9]+\.azmk8s\.io$`)

func zoneNames(c creation) []rule.Problem {
	const path = "apiServer.privateDNSZone"
	zone := c.APIServer.PrivateDNSZone
	if !c.APIServer.Private || zone == "" || zone == Later {
		return nil
	}
	found := rule.Problem{Path: path, Value: zone}
	if strings.EqualFold(zone, "none") {
		const public = "apiServerAccessProfile.enablePrivateClusterPublicFQDN"
		if on, set := option(c.Options, public).(bool); !set || on {
			return nil
		}
		found.Detail = "without a zone, the API server has no name if its public one is off"
		found.Fix = "remove options." + public + ", or use system"
		return []rule.Problem{found}
	}
	if !strings.Contains(zone, "/") { // system, or what MK760 reports
		return nil
	}
	name := zone[strings.LastIndex(zone, "/")+1:]
	match, want := zoneName.FindStringSubmatch(name), "privatelink"
	if isTrue(option(c.Options, integration)) {
		want = "private"
	}
	if match != nil &&
		(strings.EqualFold(match[1], want) || option(c.Options, integration) != nil && want != "private") {
		return nil
	}
	found.Detail = fmt.Sprintf("the name of the zone is %s", name)
	found.Fix = fmt.Sprintf("use the zone %s.REGION.azmk8s.io of the cluster's region, or a zone below it", want)
	return []rule.Problem{found}
}
