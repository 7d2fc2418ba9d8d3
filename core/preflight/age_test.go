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
	images := []string{"LinuxOfficialImages", "PublishedTags", "RetiredImages", "WindowsSupport"}
	aks := []string{"AKSNewest", "AKSOldest", "AKSOptionEnds", "AKSReleases", "SKUReleases", "SKUs"}
	sizes := []string{"vm.irregularSizes", "vm.numberedSizes"}
	eks := []string{
		"noderoom.evictionOfKubelet", "noderoom.memoryOfKubeletOfEKS", "noderoom.memoryPerPodOfEKS",
		"noderoom.sharesOfCPU", "vm.burstable", "vm.largeC5n",
	}
	for name, tt := range map[string]struct {
		options Options
		needs   Needs
		want    []string
	}{
		"objects without pods":    {Options{}, 0, nil},
		"images":                  {Options{}, needsImages, images},
		"storage without a cloud": {Options{}, needsStorage, nil},
		"machines of Azure":       {Options{Topology: on("", "Standard_D2s_v5")}, 0, sizes},
		"machines of one's own":   {Options{Topology: on("", "")}, 0, nil},
		"AKS":                     {Options{Topology: on(topology.AKS, "")}, 0, aks},
		"AKS with sizes":          {Options{Topology: on(topology.AKS, "Standard_D2s_v5")}, 0, slices.Concat(aks, sizes)},
		"EKS":                     {Options{Topology: on(topology.EKS, "m5.large")}, needsStorage, eks},
		"a move from EKS to AKS":  {Options{Topology: on(topology.EKS, ""), To: on(topology.AKS, "")}, 0, slices.Concat(aks, eks)},
		"storage and images on AKS": {
			Options{Topology: on(topology.AKS, "")}, needsStorage | needsImages,
			slices.Sorted(slices.Values(slices.Concat(aks, images, []string{"AKSStorageClasses"}))),
		},
	} {
		c := &Checker{options: tt.options}
		if diff := cmp.Diff(tt.want, c.UsedFacts(tt.needs)); diff != "" {
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
