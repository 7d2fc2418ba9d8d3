package preflight

import (
	"slices"
	"strings"
	"unique"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// workload is what other objects ask of an object with pods.
type workload struct {
	// kind is that of [pods.KindOf], written the one that the object has, "" for a secret one.
	kind, written string
	name          any // as it is written
	// namespace is "" if it is not known.
	namespace string
	replicas  any
	labels    labelSet
	// class is the name of the RuntimeClass, claims are those of PersistentVolumeClaims.
	class    string
	claims   []string
	requests []requested

	// os, release and guessed are what the pods are for, with their RuntimeClass once
	// [Collection.Of] has compared the two.
	os      platform.OS
	release platform.Platform
	guessed bool
	// hasNamespace says that the namespace is known, allLabels that all labels are.
	hasNamespace, allLabels bool
	// together says that the containers request resources together, or may do so.
	together    bool
	hostProcess bool
}

// workloadOf reads an object whose pods are for the target if their class is not known.
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

// label is a label of pods, and labelSet all that are known, in the order of their keys. It takes
// less memory than a map.
type (
	label    struct{ key, value string }
	labelSet []label
)

// labelsOf leaves out what is not known: pods have at least the other labels.
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

// pooled is the same text, in memory once for all objects that have it.
func pooled(text string) string { return unique.Make(text).Value() }

// id tells sets apart.
func (s labelSet) id() string {
	var b strings.Builder
	for _, l := range s {
		b.WriteString(l.key + "\x00" + l.value + "\x00")
	}
	return b.String()
}

// Lookup, Has and Get make it what selectors select.
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

// Get is the value of a label, "" if there is none.
func (s labelSet) Get(key string) string {
	value, _ := s.Lookup(key)
	return value
}

// match reports whether all labels of a selector are there.
func (s labelSet) match(selector labelSet) bool {
	return !slices.ContainsFunc(selector, func(l label) bool { return !slices.Contains(s, l) })
}
