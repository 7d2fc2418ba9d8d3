package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Needs are the groups of facts that the rules about objects use. A run combines those of its objects with "|".
type Needs uint8

const (
	needsImages  Needs = 1 << iota // the images of pods
	needsStorage                   // the StorageClasses of AKS
)

// NeedsOf returns the facts that the rules use about an object.
func NeedsOf(o *pods.Object) (n Needs) {
	if o.Pods != nil {
		n |= needsImages
	}
	switch o.Kind {
	case "StorageClass", "PersistentVolumeClaim":
		n |= needsStorage
	case "StatefulSet":
		if tree.At(o.Tree, "spec", "volumeClaimTemplates") != nil {
			n |= needsStorage
		}
	}
	return n
}

// usersOf are the packages and functions that read facts about a cloud, for [lives.UsedBy].
var usersOf = map[topology.Cloud][]string{
	topology.AKS: {
		"core/aks/support", "core/preflight/internal/rules/services", "internal/core/placement", "internal/core/pods",
	},
	topology.EKS: {"noderoom.EKS", "vm.ofEC2"},
	topology.GKE: {"noderoom.GKE", "vm.IsArm64", "vm.ofComputeEngine"},
}

// UsedFacts returns the names of the facts that a check of the topologies, and of objects with these needs, uses.
func (c *Checker) UsedFacts(n Needs) []string {
	var users []string
	if n&needsImages != 0 {
		users = append(users, "core/platform")
	}
	for _, t := range []topology.Topology{c.options.Topology, c.options.To} {
		users = append(users, usersOf[t.Cloud]...)
		if t.Cloud == topology.AKS && n&needsStorage != 0 {
			users = append(users, "core/preflight/internal/collection", "core/preflight/internal/rules/volumes")
		}
		if slices.ContainsFunc(t.Pools, func(p topology.Pool) bool { return vm.IsAzure(p.Size) }) {
			users = append(users, "vm.CapacityInAzure")
		}
	}
	return lives.UsedBy(users...)
}

// CheckFacts returns an info if one of these facts was looked up more than half a year before [Options.Today]. A run
// calls it once, with the facts that it has used for all of its clusters and objects.
func (c *Checker) CheckFacts(names []string) []Finding {
	return support.CheckFacts(c.options.Today, names)
}
