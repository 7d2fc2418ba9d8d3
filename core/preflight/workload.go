package preflight

import (
	"slices"
	"strings"
	"unique"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// workload is what other objects need to know about an object with pods.
type workload struct {
	// kind is the kind according to [pods.KindOf], and written the one that the object states, "" for a secret one.
	kind, written string
	name          any // as it is written
	// namespace is "" if it is unknown.
	namespace string
	replicas  any
	labels    labelSet
	// class is the name of the RuntimeClass, and claims are the names of PersistentVolumeClaims.
	class    string
	claims   []string
	requests []requested

	// os, release and guessed are what the pods are for. They include the RuntimeClass after [Collection.Findings] has
	// compared the two.
	os      platform.OS
	release platform.Platform
	guessed bool
	// hasNamespace is true if the namespace is known, allLabels if all labels are.
	hasNamespace, allLabels bool
	// together is true if the containers request resources together, or may do so.
	together    bool
	hostProcess bool
}

// workloadOf reads an object whose pods are for the target if their class is unknown.
func workloadOf(o *pods.Object, target *pods.Target) *workload {
	p := o.Pods
	w := &workload{
		kind: pooled(o.Kind), name: tree.At(o.Tree, "metadata", "name"),
		replicas: tree.At(o.Tree, "spec", "replicas"),
		class:    p.ClassName(), claims: claimsOf(p),
		together:    tree.IsUnknown(p.Spec["resources"]) || pods.IsSet(p.Spec, "resources"),
		hostProcess: p.HostProcess(),
	}
	written, _ := o.Tree["kind"].(string)
	w.written = pooled(written)
	w.namespace, w.hasNamespace = namespaceOf(o.Tree)
	labels := tree.Map(p.Metadata["labels"])
	w.labels = labelsOf(labels)
	w.allLabels = len(w.labels) == len(labels) && p.KnowsMetadata()
	for i := range p.Containers {
		if ctr := &p.Containers[i]; ctr.List == "containers" {
			w.requests = append(w.requests, requestedBy(ctr))
		}
	}
	w.resolve(target)
	return w
}

// resolve sets what the pods are for.
func (w *workload) resolve(target *pods.Target) {
	release, _ := target.Release()
	w.os, w.release, w.guessed = target.OS(), release.Release, target.Guessed
}

// claimsOf returns the names of the claims that pods mount.
func claimsOf(p *pods.Pods) []string {
	var names []string
	for _, v := range tree.List(p.Spec["volumes"]) {
		if name, ok := tree.Text(tree.At(tree.Map(v)["persistentVolumeClaim"], "claimName")); ok {
			names = append(names, name)
		}
	}
	return names
}

// label is a label of pods, and labelSet are all known labels, sorted by key. It takes less memory than a map.
type (
	label    struct{ key, value string }
	labelSet []label
)

// labelsOf omits unknown labels: pods have at least the other ones.
func labelsOf(m map[string]any) labelSet {
	set := make(labelSet, 0, len(m))
	for key, v := range m {
		if text, ok := tree.Text(v); ok {
			set = append(set, label{pooled(key), text})
		}
	}
	slices.SortFunc(set, func(a, b label) int { return strings.Compare(a.key, b.key) })
	return set
}

// pooled returns the same text, stored once for all objects that have it.
func pooled(text string) string { return unique.Make(text).Value() }

// id identifies the set.
func (s labelSet) id() string {
	var b strings.Builder
	for _, l := range s {
		b.WriteString(l.key + "\x00" + l.value + "\x00")
	}
	return b.String()
}

// Lookup, Has and Get implement the interface that selectors select from.
func (s labelSet) Lookup(key string) (value string, has bool) {
	i := slices.IndexFunc(s, func(l label) bool { return l.key == key })
	if i < 0 {
		return "", false
	}
	return s[i].value, true
}

// Has reports whether there is a label.
func (s labelSet) Has(key string) bool {
	_, has := s.Lookup(key)
	return has
}

// Get returns the value of a label, "" if there is none.
func (s labelSet) Get(key string) string {
	value, _ := s.Lookup(key)
	return value
}

// match reports whether the set contains all labels of a selector.
func (s labelSet) match(selector labelSet) bool {
	return !slices.ContainsFunc(selector, func(l label) bool { return !slices.Contains(s, l) })
}
