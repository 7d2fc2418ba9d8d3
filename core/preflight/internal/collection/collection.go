package collection

import (
	"slices"
	"sync"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Collection combines the gists of objects, by name.
type Collection struct {
	// classes has nil for an existing class without known properties.
	classes map[string]*pods.Class
	// anonymous means that a class with an unknown name exists.
	anonymous  bool
	namespaces map[string]*Namespace
	// windowsIPAM means that an object enables addresses for the Windows pods of EKS.
	windowsIPAM bool
	// knativeFeatures are the flags of Knative that an object enables.
	knativeFeatures map[string]bool
	disks           *Storage
	// scalers are the autoscalers. All whose target is unknown are the zero scaler.
	scalers     map[scaler]bool
	workloads   []*workload
	byNamespace map[string][]*workload
	// unlabeled are the namespaces with workloads some of whose labels are unknown.
	unlabeled map[string]bool
	// identities has true for an identity that several objects have.
	identities map[identity]bool
	// nowhere means that the namespace of a workload is unknown.
	nowhere bool

	// The following fields are computed on demand, after all classes have been compared with their pods.
	indexes  cache[map[label][]*workload]
	services cache[Selected]
	budgets  cache[Budgeted]
	policies cache[[]string]
	// named returns the workloads by their namespaces, kinds and names.
	named func() map[workloadName]*workload
	// mounted returns the names of the volumes that Windows pods mount.
	mounted func() map[string]bool
	shares  func() []shared
	// users returns the workloads that mount claims.
	users func() map[string]mountedBy
}

// New returns a collection without objects.
func New() *Collection {
	c := &Collection{
		classes: map[string]*pods.Class{}, namespaces: map[string]*Namespace{},
		knativeFeatures: map[string]bool{}, disks: NewStorage(), byNamespace: map[string][]*workload{},
		scalers: map[scaler]bool{}, unlabeled: map[string]bool{}, identities: map[identity]bool{},
	}
	c.named, c.users = sync.OnceValue(c.byName), sync.OnceValue(c.mountedBy)
	c.mounted, c.shares = sync.OnceValue(c.mountedOnWindows), sync.OnceValue(c.disks.shares)
	return c
}

// Add adds the gist of an object. All objects must be added before the first question.
func (c *Collection) Add(g *Gist) {
	if g.id != 0 {
		_, again := c.identities[g.id]
		c.identities[g.id] = again
	}
	if w := g.workload; w != nil {
		c.workloads = append(c.workloads, w)
		c.byNamespace[w.namespace] = append(c.byNamespace[w.namespace], w)
		c.nowhere = c.nowhere || !w.hasNamespace
		c.unlabeled[w.namespace] = c.unlabeled[w.namespace] || !w.allLabels
	}
	if tells, all := whole[g.kind]; tells || !all {
		c.add(g)
	}
}

// add adds an object that other objects depend on.
func (c *Collection) add(g *Gist) {
	object := g.tree()
	if object == nil {
		return
	}
	if s, is := scalerOf(object); is {
		c.scalers[s] = true
	}
	c.disks.add(g, object)
	switch g.kind {
	case "RuntimeClass":
		c.addClass(pods.ReadClass(object))
	case "Namespace":
		c.addNamespace(object)
	case "":
		c.windowsIPAM = c.windowsIPAM || subject.EnablesIPAM(object)
		for _, flag := range knativeFeatures(object) {
			c.knativeFeatures[flag] = true
		}
	}
}

func (c *Collection) addClass(class *pods.Class) {
	name := class.Name
	if name == "" {
		c.anonymous = true // it may be the one that an object names
		return
	}
	if _, again := c.classes[name]; again {
		class = nil // it is unknown which of the two applies
	}
	c.classes[name] = class
}

// KnowClasses adds the RuntimeClasses of other objects, which may exist in the same cluster: without their properties.
func (c *Collection) KnowClasses(of *Collection) {
	c.anonymous = c.anonymous || of.anonymous
	for name := range of.classes {
		if !c.HasClass(name) {
			c.classes[name] = nil
		}
	}
}

// HasClass reports whether the objects have a RuntimeClass with a name.
func (c *Collection) HasClass(name string) bool {
	_, has := c.classes[name]
	return has
}

// HasAnonymousClass reports whether the objects have a RuntimeClass whose name is unknown: it may be any.
func (c *Collection) HasAnonymousClass() bool { return c.anonymous }

// ClassOf returns the RuntimeClass that pods name, nil if it is not among the objects, or if several have the name.
func (c *Collection) ClassOf(p *pods.Pods) *pods.Class { return c.classes[p.ClassName()] }

// VolumesOf returns the volumes that the claims of pods bind to.
func (c *Collection) VolumesOf(p *pods.Pods) pods.Volumes { return c.disks.VolumesOf(p) }

// Concerns reports whether other objects can affect an object. It returns false as the second value if only the checks
// of the object can tell: see [Collection.Of].
func (c *Collection) Concerns(g *Gist) (concerns, known bool) {
	switch {
	case c.twice(g.id):
		return true, true
	case g.service != nil:
		return c.concernsService(g.service), true
	case g.pods != nil:
		return c.concernsPods(g.pods), true
	default:
		return false, g.object == nil && g.compact == ""
	}
}

func (c *Collection) twice(id identity) bool { return id != 0 && c.identities[id] }

// Of returns the object of a gist as a subject. The object has only what rules between objects need.
func (c *Collection) Of(g *Gist, cluster *subject.Cluster) *Object {
	return c.Object(&pods.Object{Tree: g.tree(), Kind: g.kind}, cluster)
}

// Resolve compares what the pods of an object are for with their RuntimeClass, for the rules about other objects.
func (c *Collection) Resolve(g *Gist, o *pods.Object, cluster *subject.Cluster) {
	if w := g.workload; w != nil && c.classes[w.class] != nil {
		target := cluster.Target(o.Pods, c.classes[w.class])
		w.resolve(&target)
	}
}

// concernsPods reports whether an object among the others can affect pods.
func (c *Collection) concernsPods(p *demands) bool {
	return c.hasClassOf(p) || c.hasDiskFor(p) || p.windows && (c.windowsIPAM || c.namespaces[p.namespace].demands()) ||
		p.knative && len(c.knativeFeatures) > 0
}

func (c *Collection) hasClassOf(p *demands) bool {
	return len(p.classes) > 0 && (c.anonymous || slices.ContainsFunc(p.classes, c.HasClass))
}

func (c *Collection) hasDiskFor(p *demands) bool {
	if p.makesClaims && len(c.disks.classes)+len(c.disks.volumes) > 0 {
		return true
	}
	return slices.ContainsFunc(p.claims, func(name string) bool {
		key := claimKey(p.namespace, name)
		return c.disks.claims[key] != nil || c.disks.claimed[key] != nil
	})
}
