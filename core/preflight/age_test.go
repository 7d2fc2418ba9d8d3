package preflight

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// A check uses the facts about its cloud, its sizes and its objects.
func TestUsedFacts(t *testing.T) {
	t.Parallel()
	on := func(cloud topology.Cloud, size string) topology.Topology {
		return topology.Topology{
			Cloud: cloud, Pools: []topology.Pool{{Name: "a", Platform: platform.Linux, Size: size}},
		}
	}
	aks := []string{
		"core/aks/support", "core/preflight/internal/rules/services", "internal/core/placement", "internal/core/pods",
	}
	eks := []string{"noderoom.EKS", "vm.ofEC2"}
	for name, tt := range map[string]struct {
		options Options
		needs   Needs
		want    []string // what reads the facts
	}{
		"objects without pods":    {Options{}, 0, nil},
		"images":                  {Options{}, needsImages, []string{"core/platform"}},
		"storage without a cloud": {Options{}, needsStorage, nil},
		"machines of Azure":       {Options{Topology: on("", "Standard_D2s_v5")}, 0, []string{"vm.CapacityInAzure"}},
		"machines of one's own":   {Options{Topology: on("", "")}, 0, nil},
		"AKS":                     {Options{Topology: on(topology.AKS, "")}, 0, aks},
		"AKS with sizes": {
			Options{Topology: on(topology.AKS, "Standard_D2s_v5")}, 0, append([]string{"vm.CapacityInAzure"}, aks...),
		},
		"EKS": {Options{Topology: on(topology.EKS, "m5.large")}, needsStorage, eks},
		"a move from EKS to AKS": {
			Options{Topology: on(topology.EKS, ""), To: on(topology.AKS, "")},
			0,
			append(eks, aks...),
		},
		"storage and images on AKS": {
			Options{Topology: on(topology.AKS, "")},
			needsStorage | needsImages,
			append([]string{"core/platform", "core/preflight/internal/rules/volumes"}, aks...),
		},
	} {
		c := &Checker{options: tt.options}
		if diff := cmp.Diff(lives.UsedBy(tt.want...), c.UsedFacts(tt.needs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Together, the clouds use all that package topology reads about them.
func TestCloudsUseTheFactsOfTopologies(t *testing.T) {
	t.Parallel()
	users := []string{"vm.CapacityInAzure"}
	for _, cloud := range topology.Clouds() {
		if len(usersOf[cloud]) == 0 {
			t.Errorf("%s uses no facts", cloud)
		}
		for _, user := range usersOf[cloud] {
			if len(lives.UsedBy(user)) == 0 {
				t.Errorf("%s: %s reads no facts", cloud, user)
			}
		}
		users = append(users, usersOf[cloud]...)
	}
	used := lives.UsedBy(users...)
	for _, name := range lives.UsedBy("core/topology") {
		if !slices.Contains(used, name) {
			t.Errorf("package topology reads %s, and no cloud uses it", name)
		}
	}
}
