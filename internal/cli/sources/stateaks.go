package sources

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
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
	pools := map[string][]Resource{}
	for _, r := range s.Resources {
		if id := clusterOf(r.ID); agentPool.MatchString(r.Type) && id != "" {
			pools[id] = append(pools[id], r)
		}
	}
	var clusters []onAzure
	ancestry := s.ancestry(components)
	for _, r := range s.Resources {
		if managedCluster.MatchString(r.Type) && !ancestry.isBelow(r.Parent) {
			clusters = append(clusters, onAzure{state: s, cluster: r, pools: pools[strings.ToLower(r.ID)]})
		}
	}
	return clusters
}

// ancestry answers which resources are below a component.
type ancestry struct {
	parents map[string]string
	// below has the resources that have been met: true if they are components or below one.
	below map[string]bool
}

func (s *State) ancestry(components []described) ancestry {
	a := ancestry{map[string]string{}, map[string]bool{}}
	for _, r := range s.Resources {
		a.parents[r.URN] = r.Parent
	}
	for _, d := range components {
		if d.urn != "" {
			a.below[d.urn] = true
		}
	}
	return a
}

// isBelow reports whether a resource is a component, or one of its children at any depth. Each resource is walked over
// once, even if resources are each other's parents.
func (a ancestry) isBelow(urn string) bool {
	var met []string
	is := false
	for ; urn != ""; urn = a.parents[urn] {
		if below, known := a.below[urn]; known {
			is = below
			break
		}
		a.below[urn] = false
		met = append(met, urn)
	}
	for _, urn := range met {
		a.below[urn] = is
	}
	return is
}

// clusterOf returns the ID of the cluster that Azure's ID of a pool shows, in lower case; "" if it is not the ID of a pool.
func clusterOf(pool string) string {
	pool = strings.ToLower(pool)
	at := strings.LastIndex(pool, "/agentpools/")
	return pool[:max(at, 0)]
}

// describe reads the cluster as Azure described it to Pulumi. A pool that is a separate resource replaces the entry of
// the cluster, which is older.
func (c onAzure) describe() described {
	name := c.cluster.ResourceName()
	d := described{name: name, urn: c.cluster.URN, what: "the AKS cluster " + name}
	properties := map[string]any{}
	maps.Copy(properties, c.cluster.Outputs)
	own := map[string]bool{}
	var profiles []any
	for _, pool := range c.pools {
		profiles, own[nameOf(pool.Outputs)] = append(profiles, pool.Outputs), true
	}
	for _, profile := range tree.List(properties["agentPoolProfiles"]) {
		if !own[nameOf(profile)] {
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
