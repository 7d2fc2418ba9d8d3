package sources

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// The types of azure-native, in any version of Azure's API.
var (
	managedCluster = regexp.MustCompile(`^azure-native:containerservice(/v\w+)?:ManagedCluster$`)
	agentPool      = regexp.MustCompile(`^azure-native:containerservice(/v\w+)?:AgentPool$`)
)

// onAzure is an AKS cluster in a state, with its pools that are separate resources.
type onAzure struct {
	state   *State
	cluster Resource
	pools   []Resource
}

// onAKS returns the AKS clusters that no component describes.
func (s *State) onAKS(components []described) []onAzure {
	var clusters []onAzure
	for _, r := range s.Resources {
		if !managedCluster.MatchString(r.Type) || s.isBelow(r, components) {
			continue
		}
		c := onAzure{state: s, cluster: r}
		for _, pool := range s.Resources {
			if agentPool.MatchString(pool.Type) && c.has(pool) {
				c.pools = append(c.pools, pool)
			}
		}
		clusters = append(clusters, c)
	}
	return clusters
}

// isBelow reports whether a resource is one of the children of a component, at any depth.
func (s *State) isBelow(r Resource, components []described) bool {
	parents := map[string]string{}
	for _, other := range s.Resources {
		parents[other.URN] = other.Parent
	}
	for urn := r.Parent; urn != ""; urn = parents[urn] {
		if slices.ContainsFunc(components, func(d described) bool { return d.urn == urn }) {
			return true
		}
		if parents[urn] == urn {
			return false
		}
	}
	return false
}

// has reports whether a pool belongs to the cluster: Azure's IDs show it.
func (c onAzure) has(pool Resource) bool {
	below, ok := strings.CutPrefix(strings.ToLower(pool.ID), strings.ToLower(c.cluster.ID)+"/")
	return ok && strings.HasPrefix(below, "agentpools/")
}

// describe reads the cluster as Azure described it to Pulumi. A pool that is a separate resource replaces the entry of
// the cluster, which is older.
func (c onAzure) describe() described {
	name := c.cluster.ResourceName()
	d := described{name: name, urn: c.cluster.URN, what: "the AKS cluster " + name}
	properties := map[string]any{}
	maps.Copy(properties, c.cluster.Outputs)
	own := map[any]bool{}
	var profiles []any
	for _, pool := range c.pools {
		profiles, own[pool.Outputs["name"]] = append(profiles, pool.Outputs), true
	}
	for _, profile := range tree.List(properties["agentPoolProfiles"]) {
		if !own[tree.Map(profile)["name"]] {
			profiles = append(profiles, profile)
		}
	}
	slices.SortStableFunc(profiles, func(a, b any) int { return strings.Compare(nameOf(a), nameOf(b)) })
	properties["agentPoolProfiles"] = profiles
	inAzure := plan.ReadInAzure(properties)
	d.Topology = inAzure.Topology(noOwner, nil)
	for _, profile := range profiles {
		if _, known := inAzure.Pool(nameOf(profile)); !known {
			sku, _ := tree.Text(tree.Map(profile)["osSKU"])
			d.notes = append(d.notes, fmt.Sprintf("pool %s: %s is not a platform that this version of "+
				"mixedkube knows: left out", nameOf(profile), sku))
		}
	}
	d.notes = append(d.notes, "the state is what Pulumi saw last: pulumi refresh updates it")
	d.err = fielderrors.Join(c.state.Name+": "+d.what, d.Validate(nil))
	return d
}

// noOwner does not own a pool: all pools of the cluster count.
const noOwner = "nobody"

func nameOf(profile any) string {
	name, _ := tree.Text(tree.Map(profile)["name"])
	return name
}
