package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// workload is what other objects ask of an object with pods.
type workload struct {
	// kind is that of [pods.KindOf], written the one that the object has; the name is of any type.
	kind          string
	written, name any
	// namespace is "" if it is not known.
	namespace    string
	hasNamespace bool
	replicas     any
	labels       labelSet
	// allLabels says that all labels are known.
	allLabels bool
	// class is the name of the RuntimeClass, claims are those of PersistentVolumeClaims.
	class    string
	claims   []string
	requests []requested
	// together says that the containers request resources together, or may do so.
	together    bool
	hostProcess bool

	// os, release and guessed are what the pods are for, with their RuntimeClass once
	// [Collection.OfPods] has compared the two.
	os      platform.OS
	release platform.Platform
	guessed bool
}

// workloadOf reads an object whose pods are for the target if their class is not known.
func workloadOf(o *pods.Object, target *pods.Target) *workload {
	p := o.Pods
	w := &workload{
		kind: o.Kind, written: o.Tree["kind"], name: tree.At(o.Tree, "metadata", "name"),
		replicas: tree.At(o.Tree, "spec", "replicas"),
		class:    p.ClassName(), claims: claimsOf(p),
		together:    tree.IsUnknown(p.Spec["resources"]) || pods.IsSet(p.Spec, "resources"),
		hostProcess: p.HostProcess(),
	}
	w.namespace, w.hasNamespace = namespaceOf(o.Tree)
	given := tree.Map(p.Metadata["labels"])
	w.labels = labelsOf(given)
	w.allLabels = len(w.labels) == len(given) && p.KnowsMetadata()
	for i := range p.Containers {
		if ctr := &p.Containers[i]; ctr.List == "containers" {
			w.requests = append(w.requests, requestedBy(ctr))
		}
	}
	w.settle(target)
	return w
}

// settle says what the pods are for.
func (w *workload) settle(target *pods.Target) {
	release, _ := target.Release()
	w.os, w.release, w.guessed = target.OS(), release.Release, target.Guessed
}

// claimsOf are the names of the claims that pods mount.
func claimsOf(p *pods.Pods) []string {
	var names []string
	for _, v := range tree.List(p.Spec["volumes"]) {
		if name, ok := tree.Text(tree.At(tree.Map(v)["persistentVolumeClaim"], "claimName")); ok {
			names = append(names, name)
		}
	}
	return names
}

// label is a label of pods, and labelSet all that are known. It takes less memory than a map.
type (
	label    struct{ key, value string }
	labelSet []label
)

// labelsOf leaves out what is not known: pods have at least the other labels.
func labelsOf(m map[string]any) labelSet {
	var set labelSet
	for key, v := range m {
		if text, ok := tree.Text(v); ok {
			set = append(set, label{key, text})
		}
	}
	return set
}

// Lookup, Has and Get make it what selectors select.
func (s labelSet) Lookup(key string) (value string, has bool) {
	i := slices.IndexFunc(s, func(l label) bool { return l.key == key })
	if i < 0 {
		return "", false
	}
	return s[i].value, true
}

// Has says whether there is a label.
func (s labelSet) Has(key string) bool {
	_, has := s.Lookup(key)
	return has
}

// Get is the value of a label, "" if there is none.
func (s labelSet) Get(key string) string {
	value, _ := s.Lookup(key)
	return value
}

// match says whether all labels of a selector are there.
func (s labelSet) match(selector map[string]string) bool {
	for key, value := range selector {
		if has, ok := s.Lookup(key); !ok || has != value {
			return false
		}
	}
	return true
}
