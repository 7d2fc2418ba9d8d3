package preflight

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Gist is the part of an object that the rules between objects need, so that a caller with thousands of files does not
// have to hold their contents in memory.
type Gist struct{ facts collection.Gist }

// nothing is the gist of all objects that no rule between objects needs.
var nothing = new(Gist)

// Gist reads an object. It references the object, or parts of it, until [Gist.Compact] is called.
func (c *Checker) Gist(o *pods.Object) *Gist {
	facts, needed := collection.Read(o, c.cluster)
	if !needed {
		return nothing
	}
	return &Gist{facts}
}

// HasPods reports whether the object has pods.
func (g *Gist) HasPods() bool { return g.facts.HasPods() }

// Compact makes the gist as small as possible. It must not be called if values of the object are [Unknown] or [Secret].
func (g *Gist) Compact() { g.facts.Compact() }

// Clone returns a copy of the gist, for a second collection.
func (g *Gist) Clone() *Gist { return &Gist{g.facts.Clone()} }

// Collection combines the gists of objects, by name.
type Collection struct {
	*Checker

	all *collection.Collection
}

// Collect combines the gists of objects.
func (c *Checker) Collect(gists []*Gist) *Collection {
	all := collection.New()
	for _, g := range gists {
		all.Add(&g.facts)
	}
	return &Collection{c, all}
}

// KnowClasses tells the collection that the RuntimeClasses of another one may exist in its cluster.
func (a *Collection) KnowClasses(of *Collection) { a.all.KnowClasses(of.all) }

// Concerns reports whether other objects can affect an object: if not, [Collection.Findings] returns the same findings
// as for an empty collection. Call neither for an object without pods before you have called Findings for all objects
// with pods that others concern. Both may be called concurrently.
func (a *Collection) Concerns(g *Gist) bool {
	if concerns, known := a.all.Concerns(&g.facts); known {
		return concerns
	}
	return len(a.checks.objectsAmong.Find(a.all.Of(&g.facts, a.cluster), a.cluster.Minor)) > 0
}

// Findings returns the findings between an object and the others.
func (a *Collection) Findings(o *pods.Object, g *Gist) []Finding {
	object := a.all.Object(o, a.cluster)
	found := a.checks.objectsAmong.Find(object, a.cluster.Minor)
	for _, p := range o.All() {
		found = append(found, a.among(a.cluster.PodsOf(p, nil, false), a.all)...)
	}
	a.all.Resolve(&g.facts, o, a.cluster)
	return finished(object.Object, found)
}
