package preflight

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Gist is the little that the rules between objects need of one object, so that a caller with
// thousands of files need not keep what they hold.
type Gist struct {
	kind string
	// object is the object itself where rules need all of it, else nil; compact is the same as
	// JSON, after [Gist.Compact].
	object  map[string]any
	compact string
	// pods are what the object asks of others, nil if it asks nothing.
	pods *asking
	// workload is what others ask of the object, nil without pods, and for a kind with several.
	workload *workload
	// service is what a Service selects, nil for other kinds.
	service *service
}

// whole are the kinds of which rules need all: they are small, and have no pods. It says
// whether other objects go by them.
var whole = map[string]bool{
	"RuntimeClass": true, "Namespace": true, "HorizontalPodAutoscaler": true,
	"PersistentVolume": true, "PersistentVolumeClaim": true, "StorageClass": true,
	"PodDisruptionBudget": false, "NetworkPolicy": false,
}

// Gist reads an object. It keeps the object, or parts of it, until [Gist.Compact] is called.
func (c *Checker) Gist(o *pods.Object) *Gist {
	g := &Gist{kind: pooled(o.Kind)}
	asks := askingOf(o)
	for _, p := range o.All() {
		target := c.context.Target(p, nil)
		asks.add(p, &target)
		if p == o.Pods {
			g.workload = workloadOf(o, &target)
		}
	}
	if asks.anything() {
		g.pods = asks
	}
	if o.Kind == "Service" {
		g.service = serviceOf(o.Tree)
	}
	if _, all := whole[o.Kind]; all || matters(o.Tree) {
		g.object = o.Tree
	}
	if g.object == nil && !g.HasPods() && g.service == nil {
		return nothing
	}
	return g
}

// nothing is the gist of all objects of which no rule between objects needs anything.
var nothing = new(Gist)

// matters reports whether others go by an object of any other kind.
func matters(object map[string]any) bool {
	_, scales := scalerOf(object)
	return scales || enablesIPAM(object) || len(knativeFeatures(object)) > 0
}

// Compact makes the gist as small as it can be. It must not be called where values of the object
// are [Unknown] or [Secret].
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

// tree is the object, without what no rule looks at; nil if rules need only what else is here.
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

// Collection is what objects say about each other, by name.
type Collection struct {
	*Checker

	// classes has nil for a class that is there, but of which nothing is known.
	classes map[string]*pods.Class
	// anonymous says that there is a class whose name is not known.
	anonymous  bool
	namespaces map[string]standard
	// metadata is that of Namespaces, nil if there are two of a name.
	metadata map[string]map[string]any
	// windowsIPAM says that an object gives the Windows pods of EKS addresses.
	windowsIPAM bool
	// knativeFeatures are the flags of Knative that an object enables.
	knativeFeatures map[string]bool
	disks           *storage
	scalers         []scaler
	workloads       []*workload
	byNamespace     map[string][]*workload
	// nowhere says that the namespace of a workload is not known.
	nowhere bool

	// What follows is collected when it is asked for: after all classes have been compared with
	// their pods.
	services endpoints
	// mounted are the names of the volumes that Windows pods mount.
	mounted func() map[string]bool
	shares  func() []shared
}

// Collect puts together what objects say about each other.
func (c *Checker) Collect(gists []*Gist) *Collection {
	a := &Collection{
		Checker: c,
		classes: map[string]*pods.Class{}, namespaces: map[string]standard{}, metadata: map[string]map[string]any{},
		knativeFeatures: map[string]bool{}, disks: newStorage(), byNamespace: map[string][]*workload{},
	}
	a.mounted, a.shares = sync.OnceValue(a.mountedOnWindows), sync.OnceValue(a.disks.shares)
	for _, g := range gists {
		if w := g.workload; w != nil {
			a.workloads = append(a.workloads, w)
			a.byNamespace[w.namespace] = append(a.byNamespace[w.namespace], w)
			a.nowhere = a.nowhere || !w.hasNamespace
		}
		if tells, all := whole[g.kind]; tells || !all {
			a.add(g)
		}
	}
	return a
}

// add adds an object by which others go.
func (a *Collection) add(g *Gist) {
	object := g.tree()
	if object == nil {
		return
	}
	if s, is := scalerOf(object); is {
		a.scalers = append(a.scalers, s)
	}
	a.disks.add(g, object)
	switch g.kind {
	case "RuntimeClass":
		a.addClass(pods.ReadClass(object))
	case "Namespace":
		a.addNamespace(object)
	case "":
		a.windowsIPAM = a.windowsIPAM || enablesIPAM(object)
		for _, flag := range knativeFeatures(object) {
			a.knativeFeatures[flag] = true
		}
	}
}

func (a *Collection) addClass(class *pods.Class) {
	name := class.Name
	if name == "" {
		a.anonymous = true // it may be the one that somebody names
		return
	}
	if _, again := a.classes[name]; again {
		class = nil // which of the two counts is not known
	}
	a.classes[name] = class
}

func (a *Collection) addNamespace(object map[string]any) {
	metadata := tree.Map(object["metadata"])
	name, ok := tree.Text(metadata["name"])
	if !ok {
		return
	}
	enforced := readStandard(object)
	if other, again := a.namespaces[name]; again && other != enforced {
		enforced = standard{} // which of the two counts is not known
	}
	a.namespaces[name] = enforced
	if _, again := a.metadata[name]; again {
		metadata = nil // which of the two counts is not known
	}
	a.metadata[name] = metadata
}

// HasPods reports whether it is of an object with pods.
func (g *Gist) HasPods() bool { return g.workload != nil || g.pods != nil }

// Concerns reports whether other objects say anything to one: if not, [Collection.Of] says the same as
// for a collection of no objects. It may be wrong for objects without pods as long as Of was
// not called for all objects with pods that others concern. Both may be called for several
// objects at once.
func (a *Collection) Concerns(g *Gist) bool {
	if g.service != nil {
		return a.concernsService(g.service)
	}
	if rule, has := between[g.kind]; has {
		run := check{Checker: a.Checker, object: g.tree()}
		rule(&run, a)
		return len(run.findings) > 0
	}
	return g.pods != nil && a.concernsPods(g.pods)
}

// Of is what is wrong between an object and the others.
func (a *Collection) Of(o *pods.Object, g *Gist) []Finding {
	run := check{Checker: a.Checker, object: o.Tree}
	if rule, has := between[o.Kind]; has {
		rule(&run, a)
	}
	for _, p := range o.All() {
		run.podAcross(run.subject(p, nil), a)
	}
	if w := g.workload; w != nil && a.classes[w.class] != nil {
		target := a.context.Target(o.Pods, a.classes[w.class])
		w.settle(&target)
	}
	if len(run.findings) == 0 {
		return nil
	}
	// What is wrong with the annotation itself is said by Check.
	return slices.DeleteFunc(run.result(), func(f Finding) bool { return f.Rule == ignoredRuleUnknown.ID })
}

// between are the rules about objects without pods, by their kinds.
var between = map[string]func(*check, *Collection){
	"Service":                 (*check).services,
	"HorizontalPodAutoscaler": (*check).autoscalerAcross,
	"PersistentVolume":        (*check).sharesAcross,
	"PodDisruptionBudget":     (*check).disruptionBudget,
	"NetworkPolicy":           (*check).networkPolicy,
}

func (a *Collection) concernsPods(p *asking) bool {
	return a.namesClassOf(p) || a.hasDiskFor(p) || p.windows && (a.windowsIPAM || a.demandsOf(p)) ||
		p.knative && len(a.knativeFeatures) > 0
}

func (a *Collection) namesClassOf(p *asking) bool {
	return len(p.classes) > 0 && (a.anonymous || slices.ContainsFunc(p.classes, func(name string) bool {
		_, has := a.classes[name]
		return has
	}))
}

func (a *Collection) hasDiskFor(p *asking) bool {
	if p.makesClaims && len(a.disks.classes)+len(a.disks.volumes) > 0 {
		return true
	}
	return slices.ContainsFunc(p.claims, func(name string) bool {
		return a.disks.claims[claimKey(p.namespace, name)] != nil
	})
}

// demandsOf reports whether the namespace of Windows pods asks anything of them.
func (a *Collection) demandsOf(p *asking) bool {
	labels := tree.Map(a.metadata[p.namespace]["labels"])
	annotations := tree.Map(a.metadata[p.namespace]["annotations"])
	return a.namespaces[p.namespace].demands() || labels[istioInjection] != nil || labels[istioRevision] != nil ||
		annotations[linkerdInject] != nil
}

// asking is what the pods of an object ask of other objects.
type asking struct {
	// namespace is that of the object, "" if it is not known.
	namespace string
	// classes are the names of RuntimeClasses, claims those of PersistentVolumeClaims, "" for
	// one that is not known.
	classes, claims []string
	// makesClaims says that claims are made for the pods.
	makesClaims bool
	// windows says that the pods may be for Windows without their RuntimeClass, knative that
	// Knative makes them.
	windows, knative bool
}

func askingOf(o *pods.Object) *asking {
	a := &asking{makesClaims: o.Kind == "StatefulSet" && tree.At(o.Tree["spec"], "volumeClaimTemplates") != nil}
	a.namespace, _ = namespaceOf(o.Tree)
	return a
}

// anything reports whether anything can concern the pods.
func (a *asking) anything() bool {
	return len(a.classes)+len(a.claims) > 0 || a.makesClaims || a.windows || a.knative
}

// add adds what pods ask that are for the target if their class is not known.
func (a *asking) add(p *pods.Pods, target *pods.Target) {
	if name := p.ClassName(); name != "" && !slices.Contains(a.classes, name) {
		a.classes = append(a.classes, name)
	}
	for _, v := range tree.List(p.Spec["volumes"]) {
		if claim := tree.Map(tree.Map(v)["persistentVolumeClaim"])["claimName"]; claim != nil {
			name, _ := tree.Text(claim)
			a.claims = append(a.claims, name)
		}
		a.makesClaims = a.makesClaims || tree.Map(v)["ephemeral"] != nil
	}
	a.windows = a.windows || target.Guessed || target.OS() == platform.WindowsOS
	a.knative = a.knative || p.Kind == pods.KnativeService || p.Kind == pods.KnativeConfiguration
}
