package collection

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Pods are pods among other objects. Their target does not include their RuntimeClass.
type Pods struct {
	*subject.Pods

	others *Collection
}

// Pods returns pods among the objects of the collection.
func (c *Collection) Pods(p *subject.Pods) *Pods { return &Pods{p, c} }

// Object is an object without pods, among others.
type Object struct {
	*subject.Object

	others *Collection
}

// Object returns an object among the objects of the collection.
func (c *Collection) Object(o *pods.Object, cluster *subject.Cluster) *Object {
	return &Object{&subject.Object{Object: o, Cluster: cluster}, c}
}

// Twice reports whether another object has the same kind, namespace and name.
func (o *Object) Twice() bool {
	return len(o.others.identities) > 0 && o.others.twice(identityOf(o.Tree))
}

// Class returns the RuntimeClass that the pods name, nil if it is not among the objects, or if several have the name.
func (p *Pods) Class() *pods.Class { return p.others.ClassOf(p.Pods.Pods) }

// Absence is how certain it is that the RuntimeClass of pods does not exist.
type Absence int

// The degrees of absence.
const (
	// NotAbsent means that the class exists, or that pods name none.
	NotAbsent Absence = iota
	// NotAmongObjects means that the cluster may have the class.
	NotAmongObjects
	// NotInCluster means that the topology lists the classes of the cluster, and not this one.
	NotInCluster
	// NotInPlan means that the planned topology lists the classes, and not this one, which may exist today.
	NotInPlan
)

// ClassAbsence returns whether the RuntimeClass that the pods name exists.
func (p *Pods) ClassAbsence() Absence {
	name, ok := tree.Text(p.Spec["runtimeClassName"])
	if !ok || name == "" || p.others.anonymous || p.others.HasClass(name) {
		return NotAbsent
	}
	switch class, known := p.Cluster.Existing(name); {
	case (class != nil || !known) && p.Cluster.DropsClass(name):
		return NotInPlan
	case class != nil:
		return NotAbsent
	case known:
		return NotInCluster
	default:
		return NotAmongObjects
	}
}
