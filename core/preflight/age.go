package preflight

import (
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/topology"
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

// UsedFacts returns the names of the facts that a check of the topologies, and of objects with these needs, uses.
func (c *Checker) UsedFacts(n Needs) (names []string) {
	if n&needsImages != 0 {
		names = append(names, "LinuxOfficialImages", "PublishedTags", "RetiredImages")
	}
	if c.options.Topology.Cloud != topology.AKS && c.options.To.Cloud != topology.AKS {
		return names
	}
	if n&needsStorage != 0 {
		names = append(names, "AKSStorageClasses")
	}
	return append(names, support.UsedFacts()...)
}

// CheckFacts returns an info if one of these facts was looked up more than half a year before [Options.Today]. A run
// calls it once, with the facts that it has used for all of its clusters and objects.
func (c *Checker) CheckFacts(names []string) []Finding {
	return support.CheckFacts(c.options.Today, names)
}
