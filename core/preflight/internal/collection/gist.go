package collection

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Gist is the part of an object that the rules between objects need, so that a caller with thousands of files does not
// have to hold their contents in memory.
type Gist struct {
	kind string
	id   identity
	// object is the object itself if rules need all of it, else nil. compact is the same as JSON, after [Gist.Compact].
	object  map[string]any
	compact string
	// pods are what the object requires of other objects, nil if it requires nothing.
	pods *demands
	// workload is what other objects need to know about the object. It is nil without pods, and for a kind with several
	// pod templates.
	workload *workload
	// service is what a Service selects, nil for other kinds.
	service *service
}

// Clone returns a copy for another collection: [Collection.Resolve] changes a gist.
func (g *Gist) Clone() Gist {
	clone := *g
	if g.workload != nil {
		workload := *g.workload
		clone.workload = &workload
	}
	return clone
}

// whole are the kinds that rules need entirely: they are small, and have no pods. The value is true if other objects
// depend on them.
var whole = map[string]bool{
	"RuntimeClass": true, "Namespace": true, "HorizontalPodAutoscaler": true,
	"PersistentVolume": true, "PersistentVolumeClaim": true, "StorageClass": true,
	"PodDisruptionBudget": false, "NetworkPolicy": false,
}

// Read reads an object. The gist references the object, or parts of it, until [Gist.Compact] is called. It returns
// false if no rule between objects needs the object.
func Read(o *pods.Object, cluster *subject.Cluster) (Gist, bool) {
	g := Gist{kind: pooled(o.Kind), id: identityOf(o.Tree)}
	required := demandsIn(o)
	for _, p := range o.All() {
		target := cluster.Target(p, nil)
		required.add(p, &target)
		if p == o.Pods {
			g.workload = workloadOf(o, &target, leaving(cluster, p, &target))
		}
	}
	if required.anything() {
		g.pods = required
	}
	if o.Kind == "Service" {
		g.service = serviceOf(o.Tree)
	}
	if _, all := whole[o.Kind]; all || matters(o.Tree) {
		g.object = o.Tree
	}
	return g, g.id != 0 || g.object != nil || g.HasPods() || g.service != nil
}

// matters reports whether others depend on an object of any other kind, or a rule compares it with others.
func matters(object map[string]any) bool {
	_, scales := scalerOf(object)
	return scales || isVertical(object) || subject.EnablesIPAM(object) || len(knativeFeatures(object)) > 0
}

// HasPods reports whether the object has pods.
func (g *Gist) HasPods() bool { return g.workload != nil || g.pods != nil }

// Compact makes the gist as small as possible. It must not be called if values of the object are unknown or secret.
func (g *Gist) Compact() {
	if g.object == nil {
		return
	}
	part := maps.Clone(g.object)
	delete(part, "apiVersion")
	delete(part, "status")
	if g.kind != "Namespace" && g.kind != "StorageClass" {
		metadata := tree.Map(part["metadata"])
		part["metadata"] = map[string]any{"name": metadata["name"], "namespace": metadata["namespace"]}
	}
	if text, err := json.Marshal(part); err == nil {
		g.object, g.compact = nil, string(text)
	}
}

// tree returns the object without the parts that no rule needs, or nil if rules need only the other fields of the gist.
func (g *Gist) tree() map[string]any {
	if g == nil {
		return nil
	}
	if g.compact == "" {
		return g.object
	}
	decoder := json.NewDecoder(strings.NewReader(g.compact))
	decoder.UseNumber()
	var object any
	if decoder.Decode(&object) != nil {
		return nil
	}
	return tree.Map(tree.Normalize(object))
}
