package preflight

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Gist is the part of an object that the rules between objects need, so that a caller with thousands of files does not
// have to hold their contents in memory.
type Gist struct {
	kind string
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

// whole are the kinds that rules need entirely: they are small, and have no pods. The value is true if other objects
// depend on them.
var whole = map[string]bool{
	"RuntimeClass": true, "Namespace": true, "HorizontalPodAutoscaler": true,
	"PersistentVolume": true, "PersistentVolumeClaim": true, "StorageClass": true,
	"PodDisruptionBudget": false, "NetworkPolicy": false,
}

// Gist reads an object. It references the object, or parts of it, until [Gist.Compact] is called.
func (c *Checker) Gist(o *pods.Object) *Gist {
	g := &Gist{kind: pooled(o.Kind)}
	required := demandsIn(o)
	for _, p := range o.All() {
		target := c.context.Target(p, nil)
		required.add(p, &target)
		if p == o.Pods {
			g.workload = workloadOf(o, &target)
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
	if g.object == nil && !g.HasPods() && g.service == nil {
		return nothing
	}
	return g
}

// nothing is the gist of all objects that no rule between objects needs.
var nothing = new(Gist)

// matters reports whether others depend on an object of any other kind.
func matters(object map[string]any) bool {
	_, scales := scalerOf(object)
	return scales || subject.EnablesIPAM(object) || len(knativeFeatures(object)) > 0
}

// Compact makes the gist as small as possible. It must not be called if values of the object are [Unknown] or [Secret].
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

// Collection combines the gists of objects, by name.
type Collection struct {
	*Checker

	// classes has nil for an existing class without known properties.
	classes map[string]*pods.Class
	// anonymous means that a class with an unknown name exists.
	anonymous  bool
	namespaces map[string]standard
	// metadata is the metadata of each Namespace, nil if two have the same name.
	metadata map[string]map[string]any
	// windowsIPAM means that an object enables addresses for the Windows pods of EKS.
	windowsIPAM bool
	// knativeFeatures are the flags of Knative that an object enables.
	knativeFeatures map[string]bool
	disks           *storage
	// scalers are the autoscalers. All whose target is unknown are the zero scaler.
	scalers     map[scaler]bool
	workloads   []*workload
	byNamespace map[string][]*workload
	// unlabeled are the namespaces with workloads some of whose labels are unknown.
	unlabeled map[string]bool
	// nowhere means that the namespace of a workload is unknown.
	nowhere bool

	// The following fields are computed on demand, after all classes have been compared with their pods.
	indexes  cache[map[label][]*workload]
	services cache[selected]
	budgets  cache[budgeted]
	policies cache[[]string]
	// named returns the workloads by their namespaces, kinds and names.
	named func() map[workloadName]*workload
	// mounted returns the names of the volumes that Windows pods mount.
	mounted func() map[string]bool
	shares  func() []shared
}

// Collect combines the gists of objects.
func (c *Checker) Collect(gists []*Gist) *Collection {
	a := &Collection{
		Checker: c,
		classes: map[string]*pods.Class{}, namespaces: map[string]standard{}, metadata: map[string]map[string]any{},
		knativeFeatures: map[string]bool{}, disks: newStorage(), byNamespace: map[string][]*workload{},
		scalers: map[scaler]bool{}, unlabeled: map[string]bool{},
	}
	a.named = sync.OnceValue(a.byName)
	a.mounted, a.shares = sync.OnceValue(a.mountedOnWindows), sync.OnceValue(a.disks.shares)
	for _, g := range gists {
		if w := g.workload; w != nil {
			a.workloads = append(a.workloads, w)
			a.byNamespace[w.namespace] = append(a.byNamespace[w.namespace], w)
			a.nowhere = a.nowhere || !w.hasNamespace
			a.unlabeled[w.namespace] = a.unlabeled[w.namespace] || !w.allLabels
		}
		if tells, all := whole[g.kind]; tells || !all {
			a.add(g)
		}
	}
	return a
}

// add adds an object that other objects depend on.
func (a *Collection) add(g *Gist) {
	object := g.tree()
	if object == nil {
		return
	}
	if s, is := scalerOf(object); is {
		a.scalers[s] = true
	}
	a.disks.add(g, object)
	switch g.kind {
	case "RuntimeClass":
		a.addClass(pods.ReadClass(object))
	case "Namespace":
		a.addNamespace(object)
	case "":
		a.windowsIPAM = a.windowsIPAM || subject.EnablesIPAM(object)
		for _, flag := range knativeFeatures(object) {
			a.knativeFeatures[flag] = true
		}
	}
}

func (a *Collection) addClass(class *pods.Class) {
	name := class.Name
	if name == "" {
		a.anonymous = true // it may be the one that an object names
		return
	}
	if _, again := a.classes[name]; again {
		class = nil // it is unknown which of the two applies
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
		enforced = standard{} // it is unknown which of the two applies
	}
	a.namespaces[name] = enforced
	if _, again := a.metadata[name]; again {
		metadata = nil // it is unknown which of the two applies
	}
	a.metadata[name] = metadata
}

// HasPods reports whether the object has pods.
func (g *Gist) HasPods() bool { return g.workload != nil || g.pods != nil }

// Concerns reports whether other objects can affect an object: if not, [Collection.Findings] returns the same findings
// as for an empty collection. Call neither for an object without pods before you have called Findings for all objects with
// pods that others concern. Both may be called concurrently.
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

// Findings returns the findings between an object and the others.
func (a *Collection) Findings(o *pods.Object, g *Gist) []Finding {
	run := check{Checker: a.Checker, object: o.Tree}
	if rule, has := between[o.Kind]; has {
		rule(&run, a)
	}
	for _, p := range o.All() {
		run.podAcross(run.subject(p, nil), a)
	}
	if w := g.workload; w != nil && a.classes[w.class] != nil {
		target := a.context.Target(o.Pods, a.classes[w.class])
		w.resolve(&target)
	}
	if len(run.findings) == 0 {
		return nil
	}
	// Check reports errors in the annotation itself.
	return slices.DeleteFunc(run.result(), func(f Finding) bool { return f.Rule == ignoredRuleUnknown.ID })
}

// between are the rules about objects without pods, by kind.
var between = map[string]func(*check, *Collection){
	"Service":                 (*check).services,
	"HorizontalPodAutoscaler": (*check).autoscalerAcross,
	"PersistentVolume":        (*check).sharesAcross,
	"PodDisruptionBudget":     (*check).disruptionBudget,
	"NetworkPolicy":           (*check).networkPolicy,
}

func (a *Collection) concernsPods(p *demands) bool {
	return a.namesClassOf(p) || a.hasDiskFor(p) || p.windows && (a.windowsIPAM || a.demandsOf(p)) ||
		p.knative && len(a.knativeFeatures) > 0
}

func (a *Collection) namesClassOf(p *demands) bool {
	return len(p.classes) > 0 && (a.anonymous || slices.ContainsFunc(p.classes, func(name string) bool {
		_, has := a.classes[name]
		return has
	}))
}

func (a *Collection) hasDiskFor(p *demands) bool {
	if p.makesClaims && len(a.disks.classes)+len(a.disks.volumes) > 0 {
		return true
	}
	return slices.ContainsFunc(p.claims, func(name string) bool {
		key := claimKey(p.namespace, name)
		return a.disks.claims[key] != nil || a.disks.claimed[key] != nil
	})
}

// demandsOf reports whether the namespace of Windows pods requires anything of them.
func (a *Collection) demandsOf(p *demands) bool {
	labels := tree.Map(a.metadata[p.namespace]["labels"])
	annotations := tree.Map(a.metadata[p.namespace]["annotations"])
	return a.namespaces[p.namespace].demands() || labels[istioInjection] != nil || labels[istioRevision] != nil ||
		annotations[linkerdInject] != nil
}

// demands are what the pods of an object require of other objects.
type demands struct {
	// namespace is the namespace of the object, "" if it is unknown.
	namespace string
	// classes are the names of RuntimeClasses, and claims those of PersistentVolumeClaims; "" is an unknown name.
	classes, claims []string
	// makesClaims means that claims are created for the pods.
	makesClaims bool
	// windows means that the pods may be for Windows without their RuntimeClass, knative that Knative creates them.
	windows, knative bool
}

func demandsIn(o *pods.Object) *demands {
	a := &demands{makesClaims: o.Kind == "StatefulSet" && tree.At(o.Tree["spec"], "volumeClaimTemplates") != nil}
	a.namespace, _ = namespaceOf(o.Tree)
	return a
}

// anything reports whether any other object can concern the pods.
func (a *demands) anything() bool {
	return len(a.classes)+len(a.claims) > 0 || a.makesClaims || a.windows || a.knative
}

// add adds what pods require that are for the target if their class is unknown.
func (a *demands) add(p *pods.Pods, target *pods.Target) {
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
