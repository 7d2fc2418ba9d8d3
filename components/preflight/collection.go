package preflight

import (
	"bytes"
	"encoding/json"
	"slices"

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
	compact []byte
	// pods are what the object asks of others, nil without pods.
	pods *asking
	// workload is what others ask of the object, nil without pods, and for a kind with several.
	workload *workload
}

// whole are the kinds of which rules need all: they are small, and have no pods. It says
// whether other objects go by them.
var whole = map[string]bool{
	"RuntimeClass": true, "Namespace": true, "HorizontalPodAutoscaler": true,
	"PersistentVolume": true, "PersistentVolumeClaim": true, "StorageClass": true,
	"Service": false, "PodDisruptionBudget": false, "NetworkPolicy": false,
}

// Gist reads an object. It keeps the object, or parts of it, until [Gist.Compact] is called.
func (c *Checker) Gist(o *pods.Object) *Gist {
	g := &Gist{kind: o.Kind}
	for _, p := range o.All() {
		if g.pods == nil {
			g.pods = askingOf(o)
		}
		target := c.context.Target(p, nil)
		g.pods.add(p, &target)
		if p == o.Pods {
			g.workload = workloadOf(o, &target)
		}
	}
	if _, all := whole[o.Kind]; all || matters(o.Tree) {
		g.object = o.Tree
	}
	return g
}

// matters says whether others go by an object of any other kind.
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
	if text, err := json.Marshal(g.object); err == nil {
		g.object, g.compact = nil, text
	}
}

// tree is the whole object, nil if it is not kept.
func (g *Gist) tree() map[string]any {
	if g.compact == nil {
		return g.object
	}
	decoder := json.NewDecoder(bytes.NewReader(g.compact))
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

	gists []*Gist
	// classes has nil for a class that is there, but of which nothing is known.
	classes map[string]*pods.Class
	// anonymous says that there is a class whose name is not known.
	anonymous  bool
	namespaces map[string]standard
	// metadata is that of Namespaces, nil where there are two of a name.
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
	// services and onWindows, the claims that Windows pods mount, are collected when they are
	// asked for: after all classes have been compared with their pods.
	services  *endpoints
	onWindows map[string]bool
}

// Collect puts together what objects say about each other.
func (c *Checker) Collect(gists []*Gist) *Collection {
	a := &Collection{
		Checker: c, gists: gists,
		classes: map[string]*pods.Class{}, namespaces: map[string]standard{}, metadata: map[string]map[string]any{},
		knativeFeatures: map[string]bool{}, disks: newStorage(), byNamespace: map[string][]*workload{},
	}
	for _, g := range gists {
		if w := g.workload; w != nil {
			a.workloads = append(a.workloads, w)
			a.byNamespace[w.namespace] = append(a.byNamespace[w.namespace], w)
			a.nowhere = a.nowhere || !w.hasNamespace
		}
		if tells, all := whole[g.kind]; tells || !all {
			a.add(g.kind, g.tree())
		}
	}
	return a
}

// add adds an object without pods, nil for one that tells the others nothing.
func (a *Collection) add(kind string, object map[string]any) {
	if object == nil {
		return
	}
	if s, is := scalerOf(object); is {
		a.scalers = append(a.scalers, s)
	}
	a.disks.add(kind, object)
	switch kind {
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

// OfPods is what is wrong between an object with pods and the others; nothing for other objects.
// It may be called for several objects at once.
func (a *Collection) OfPods(o *pods.Object, g *Gist) []Finding {
	run := check{Checker: a.Checker, object: o.Tree}
	for _, p := range o.All() {
		run.podAcross(run.subject(p, nil), a)
	}
	if class := a.classOf(g.workload); class != nil {
		target := a.context.Target(o.Pods, class)
		g.workload.settle(&target)
	}
	return run.between()
}

// classOf is the RuntimeClass that pods name, nil if nothing is known of it.
func (a *Collection) classOf(w *workload) *pods.Class {
	if w == nil {
		return nil
	}
	return a.classes[w.class]
}

// OfOthers is what is wrong between the objects without pods and the others, by their index.
// Before, [Collection.OfPods] was called for all pods that the others concern.
func (a *Collection) OfOthers() map[int][]Finding {
	found := map[int][]Finding{}
	for i, g := range a.gists {
		rule, has := between[g.kind]
		if !has {
			continue
		}
		run := check{Checker: a.Checker, object: g.tree()}
		rule(&run, a)
		if findings := run.between(); len(findings) > 0 {
			found[i] = findings
		}
	}
	return found
}

// between are the rules about objects without pods, by their kinds.
var between = map[string]func(*check, *Collection){
	"Service":                 (*check).services,
	"HorizontalPodAutoscaler": (*check).autoscalerAcross,
	"PersistentVolume":        (*check).sharesAcross,
	"PodDisruptionBudget":     (*check).disruptionBudget,
	"NetworkPolicy":           (*check).networkPolicy,
}

// between is what was found. What is wrong with the annotation itself is said by Check.
func (c *check) between() []Finding {
	if len(c.findings) == 0 {
		return nil
	}
	return slices.DeleteFunc(c.result(), func(f Finding) bool { return f.Rule == ignoredRuleUnknown.ID })
}

// Concerns says whether the objects say anything to the pods of one of them: if not,
// [Collection.OfPods] says the same as for a collection of no objects.
func (a *Collection) Concerns(g *Gist) bool {
	p := g.pods
	return p != nil && (a.namesClassOf(p) || a.hasDiskFor(p) || p.windows && (a.windowsIPAM || a.demandsOf(p)) ||
		p.knative && len(a.knativeFeatures) > 0)
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

// demandsOf says whether the namespace of Windows pods asks anything of them.
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
