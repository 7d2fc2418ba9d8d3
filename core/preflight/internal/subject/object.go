package subject

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Object is one object, of any kind.
type Object struct {
	*pods.Object
	Cluster *Cluster

	structure once[*Structure]
	class     once[*pods.Class]
}

// Class returns the object as a RuntimeClass, which it must be.
func (o *Object) Class() *pods.Class {
	return o.class.get(func() *pods.Class { return pods.ReadClass(o.Tree) })
}

// Namespace returns the namespace of an object. It returns false for one that is not known yet. Objects without a
// namespace are all in the same one, whichever it is.
func Namespace(object map[string]any) (string, bool) {
	v := tree.Map(object["metadata"])["namespace"]
	if v == nil {
		return "", true
	}
	return tree.Text(v)
}

// IgnoreAnnotation is the annotation of an object that ignores rules on it.
const IgnoreAnnotation = "mixedkube.dev/ignore"

// withdrawn are the IDs of rules that were removed. They are never reused, and it is not an error to ignore one.
var withdrawn = []string{
	// runAsUser with a projected token: since 1.29.13, 1.30.9 and 1.31 the kubelet does not
	// fail on Windows (https://github.com/kubernetes/kubernetes/pull/125040).
	"MK508",
}

// Withdrawn reports whether a rule with the ID was removed.
func Withdrawn(id string) bool { return slices.Contains(withdrawn, id) }

// Ignored returns the IDs in the annotation of an object that ignores rules: those that exist or existed, and all
// others.
func (o *Object) Ignored() (ids, unknown []string) {
	text, ok := tree.Text(tree.At(o.Tree["metadata"], "annotations", IgnoreAnnotation))
	if !ok {
		return nil, nil
	}
	for id := range strings.SplitSeq(text, ",") {
		id = strings.TrimSpace(id)
		if id == "" {
			continue
		}
		if _, ok := o.Cluster.Rules.Find(id); ok || Withdrawn(id) {
			ids = append(ids, id)
		} else {
			unknown = append(unknown, id)
		}
	}
	return ids, unknown
}

// IsConfigMap reports whether an object is the ConfigMap with a name. It returns Unknown if its names are not known
// yet.
func IsConfigMap(object map[string]any, namespace, name string) platform.Answer {
	answer := platform.Yes
	for _, field := range []struct {
		value any
		want  string
	}{
		{object["kind"], "ConfigMap"},
		{tree.At(object["metadata"], "name"), name},
		{tree.At(object["metadata"], "namespace"), namespace},
	} {
		if text, _ := tree.Text(field.value); tree.IsUnknown(field.value) {
			answer = platform.Unknown
		} else if text != field.want {
			return platform.No
		}
	}
	return answer
}
