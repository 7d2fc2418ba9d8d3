package placement

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// nodeNames are the names of the only nodes where pods can run, or that can reach a volume. They may be secret.
type nodeNames struct {
	path  string
	value any
	names []string
}

// onNamedNodes warns about names of nodes which the plan may remove. If the names show pools that are not in the plan,
// the object is stranded for certain, and not reported here.
func onNamedNodes(c *subject.Cluster, named nodeNames, m move, fix string) []rule.Problem {
	shown, stays := true, false
	for _, name := range named.names {
		pool, known := c.Today.Nodes.PoolOf(name)
		shown = shown && known
		stays = stays || known && !m.replaces(pool)
	}
	var ending []string
	for _, v := range m.now.Possible() {
		if m.replaces(v.Pool.Name) {
			ending = append(ending, v.Pool.Name)
		}
	}
	if stays || len(ending) == 0 {
		return nil
	}
	detail := "names a node that the plan may replace or remove"
	switch {
	case m.hidden:
	case shown:
		detail = "names a node of " + subject.ListPools(ending) + ", which the plan replaces or removes"
	default:
		detail += ": one of " + subject.ListPools(ending)
	}
	return []rule.Problem{{
		Path: named.path, Value: named.value, Severity: rule.Warning, Detail: detail, Fix: fix,
	}}
}

// namedNodes returns the nodes that the pods name: in nodeName, in the node selector, or in the only term of the node
// affinity. It returns false if there are none, or if a name is not known.
func namedNodes(s *subject.Pods) (named nodeNames, ok bool) {
	if v := s.Spec["nodeName"]; pods.IsSet(s.Spec, "nodeName") && v != "" {
		return namesOf(s.Path("nodeName"), []any{v})
	}
	if v := tree.Map(s.Spec["nodeSelector"])[corev1.LabelHostname]; v != nil {
		return namesOf(s.Path("nodeSelector", pods.Key(corev1.LabelHostname)), []any{v})
	}
	return namedIn(s.RequiredTerms(), s.AffinityPath)
}

// namedIn returns the nodes that the only term of a node affinity names.
func namedIn(terms []any, at func(keys ...any) string) (named nodeNames, ok bool) {
	if len(terms) != 1 {
		return nodeNames{}, false
	}
	for _, key := range [...]string{corev1.LabelHostname, metav1.ObjectNameField} {
		keys, e := subject.ExpressionAbout(terms, key)
		operator, _ := tree.Text(e["operator"])
		if values := tree.List(e["values"]); operator == string(corev1.NodeSelectorOpIn) && len(values) > 0 {
			path, _ := valueIn(keys, e, at)
			return namesOf(path, values)
		}
	}
	return nodeNames{}, false
}

func namesOf(path string, values []any) (named nodeNames, ok bool) {
	named.path = path
	if len(values) == 1 {
		named.value = values[0]
	}
	for _, v := range values {
		name, known := tree.Text(v)
		if !known {
			return nodeNames{}, false
		}
		named.names = append(named.names, name)
	}
	return named, true
}

// valueIn returns the path of an expression, or of its value if it has only one, and the value.
func valueIn(keys []any, expression map[string]any, at func(keys ...any) string) (path string, value any) {
	if values := tree.List(expression["values"]); len(values) == 1 {
		return at(append(keys, "values", 0)...), values[0]
	}
	return at(keys...), nil
}
