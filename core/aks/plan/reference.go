package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var notTheID = engine.Rule{
	Rule: rule.Rule{
		ID: "MK760", Severity: rule.Error, Title: "a value that is not the ID of the resource that it has to name",
		Page: rulepages.AKS,
		Reason: "Azure names another resource by its whole ID, with its subscription, resource group and type. A " +
			"name, or the ID of a resource of another type, is refused after the program has created other " +
			"resources. Only the form of the ID is checked.",
		Source: clusterAPI + ", " + poolAPI + ", " +
			"https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",
	},
	Checks: []engine.Check{engine.On(references, notIDs)},
}

// Reference is an argument that names another resource in Azure by its ID. Its value is an ID, a list of IDs, or a list
// of objects with the property id.
type Reference struct {
	// Path is the path of the argument in the arguments of the component.
	Path []string

	// what has an article.
	what string
	// types are the types that the resource can have, and words are values that are not IDs.
	types, words []string
}

const (
	subnetType    = "Microsoft.Network/virtualNetworks/subnets"
	identityType  = "Microsoft.ManagedIdentity/userAssignedIdentities"
	zoneType      = "Microsoft.Network/privateDnsZones"
	workspaceType = "Microsoft.OperationalInsights/workspaces"
)

func reference(path, what string, types ...string) Reference {
	return Reference{Path: strings.Split(path, "."), what: what, types: types}
}

// ReferencesOfCluster returns the references of a cluster and its network, but not those of its pools.
func ReferencesOfCluster() []Reference {
	zone := reference("apiServer.privateDNSZone", "a private DNS zone", zoneType)
	zone.words = []string{"system", "none"}
	const balancer = "options.networkProfile.loadBalancerProfile."
	return append(referencesOfNetwork(), zone,
		reference("identity.userAssignedID", "a managed identity", identityType),
		reference("options.diskEncryptionSetID", "a disk encryption set", "Microsoft.Compute/diskEncryptionSets"),
		reference("options.identityProfile.kubeletidentity.resourceId", "a managed identity", identityType),
		reference("options.apiServerAccessProfile.subnetId", "a subnet", subnetType),
		reference("options.addonProfiles.omsagent.config.logAnalyticsWorkspaceResourceID",
			"a Log Analytics workspace", workspaceType),
		reference("options.securityProfile.defender.logAnalyticsWorkspaceResourceId",
			"a Log Analytics workspace", workspaceType),
		reference("options.securityProfile.azureKeyVaultKms.keyVaultResourceId", "a key vault",
			"Microsoft.KeyVault/vaults", "Microsoft.KeyVault/managedHSMs"),
		reference("options.ingressProfile.webAppRouting.dnsZoneResourceIds", "a DNS zone",
			"Microsoft.Network/dnszones", zoneType),
		reference(balancer+"outboundIPs.publicIPs", "a public IP address", "Microsoft.Network/publicIPAddresses"),
		reference(balancer+"outboundIPPrefixes.publicIPPrefixes", "a public IP prefix",
			"Microsoft.Network/publicIPPrefixes"),
	)
}

// ReferencesOfPool returns the references of [PoolOptions].
func ReferencesOfPool() []Reference {
	return []Reference{
		reference("nodeSubnetID", "a subnet", subnetType),
		reference("podSubnetID", "a subnet", subnetType),
		reference("options.capacityReservationGroupID", "a capacity reservation group",
			"Microsoft.Compute/capacityReservationGroups"),
		reference("options.hostGroupID", "a host group", "Microsoft.Compute/hostGroups"),
		reference("options.nodePublicIPPrefixID", "a public IP prefix", "Microsoft.Network/publicIPPrefixes"),
		reference("options.proximityPlacementGroupID", "a proximity placement group",
			"Microsoft.Compute/proximityPlacementGroups"),
		reference("options.networkProfile.applicationSecurityGroups", "an application security group",
			"Microsoft.Network/applicationSecurityGroups"),
		reference("options.creationData.sourceResourceId", "a snapshot of a node pool",
			"Microsoft.ContainerService/snapshots"),
	}
}

// ReferencesOfPoolNetwork returns the references of the network of a pool without its cluster.
func ReferencesOfPoolNetwork() []Reference { return referencesOfNetwork() }

func referencesOfNetwork() []Reference {
	return []Reference{
		reference("network.nodeSubnetID", "a subnet", subnetType),
		reference("network.podSubnetID", "a subnet", subnetType),
	}
}

// notIDs finds values that are not the ID of the resource.
func notIDs(r named) []rule.Problem {
	switch v := tree.Reveal(r.value).(type) {
	case string:
		if v == "" || v == Later || r.accepts(v) {
			return nil
		}
		detail := "not the ID of " + r.what
		if kind := typeOfID(v); kind != "" {
			detail = fmt.Sprintf("the ID of a resource of type %s, not of %s", kind, r.what)
		}
		return []rule.Problem{{Path: r.path, Value: r.value, Detail: detail, Fix: r.fix()}}
	case []any:
		var found []rule.Problem
		for i, element := range tree.List(r.value) {
			found = append(found, notIDs(named{r.Reference, r.path + "[" + strconv.Itoa(i) + "]", element})...)
		}
		return found
	case map[string]any:
		if id, has := tree.Map(r.value)["id"]; has {
			return notIDs(named{r.Reference, r.path + ".id", id})
		}
	}
	return nil
}

func (r Reference) accepts(text string) bool {
	isText := func(other string) bool { return strings.EqualFold(other, text) }
	isType := func(kind string) bool { return strings.EqualFold(kind, typeOfID(text)) }
	return slices.ContainsFunc(r.words, isText) || slices.ContainsFunc(r.types, isType)
}

// fix shows the form of the ID.
func (r Reference) fix() string {
	namespace, below, _ := strings.Cut(r.types[0], "/")
	form := "/subscriptions/…/resourceGroups/…/providers/" + namespace + "/" +
		strings.ReplaceAll(below, "/", "/…/") + "/…"
	return "use the ID of the resource, " + form + strings.Join(append([]string{""}, r.words...), ", or ")
}

// typeOfID returns the type of the resource that has an ID, or an empty string if a text is not the ID of a resource in
// a resource group. Azure ignores the case of an ID.
func typeOfID(id string) string {
	below, rooted := strings.CutPrefix(strings.TrimSuffix(id, "/"), "/")
	parts := strings.Split(below, "/")
	if !rooted || len(parts) < 8 || len(parts)%2 != 0 || slices.Contains(parts, "") ||
		!strings.EqualFold(parts[0], "subscriptions") || !strings.EqualFold(parts[2], "resourceGroups") ||
		!strings.EqualFold(parts[4], "providers") {
		return ""
	}
	kind := parts[5:6:6]
	for i := 6; i < len(parts); i += 2 {
		kind = append(kind, parts[i])
	}
	return strings.Join(kind, "/")
}

// namedIn returns the references in arguments, whose paths begin with a text.
func namedIn(references []Reference, at string, arguments map[string]any) []named {
	all := make([]named, len(references))
	for i, r := range references {
		all[i] = named{r, at + strings.Join(r.Path, "."), tree.At(arguments, r.Path...)}
	}
	return all
}

// arguments returns the arguments of a network that name other resources.
func (n Network) arguments() map[string]any {
	return map[string]any{"nodeSubnetID": n.NodeSubnetID, "podSubnetID": n.PodSubnetID}
}

// references returns the references of the network of a pool without its cluster.
func (n Network) references() []named {
	return namedIn(ReferencesOfPoolNetwork(), "", map[string]any{"network": n.arguments()})
}

// referencesIn returns the references of a cluster, but not those of its pools.
func referencesIn(c Cluster) []named {
	return namedIn(ReferencesOfCluster(), "", map[string]any{
		"network":   c.Network.arguments(),
		"identity":  map[string]any{"userAssignedID": c.Identity.UserAssignedID},
		"apiServer": map[string]any{"privateDNSZone": c.APIServer.PrivateDNSZone},
		"options":   c.Options,
	})
}

// poolReferences returns the references of the options of the pools. Two pools with the same name share their options.
func (c *cluster) poolReferences() []named {
	var all []named
	var read []string
	for _, p := range c.pools {
		if slices.Contains(read, p.optionsAt) {
			continue
		}
		read = append(read, p.optionsAt)
		all = append(all, namedIn(ReferencesOfPool(), p.optionsAt, map[string]any{
			"nodeSubnetID": p.options.NodeSubnetID, "podSubnetID": p.options.PodSubnetID,
			"options": p.options.Options,
		})...)
	}
	return all
}
