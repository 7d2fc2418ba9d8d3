package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/mixedkube/mixedkube/components/platform"
)

// term is one of the alternatives of a node affinity: its expressions hold
// together, and one without any matches no node.
type term []expression

// expression is one requirement of a term. component-helpers answers for whole
// affinities with yes or no; an affinity of this one expression is what makes
// three answers possible.
type expression struct {
	corev1.NodeSelectorRequirement
	// onField says that the expression is about a field of the node.
	onField bool
	// parsed is nil if the expression is not valid: it matches no node.
	parsed *nodeaffinity.NodeSelector
}

func parseAffinity(required *corev1.NodeSelector) []term {
	terms := make([]term, len(required.NodeSelectorTerms))
	for i, t := range required.NodeSelectorTerms {
		for j := range t.MatchExpressions {
			terms[i] = append(terms[i],
				parseExpression(corev1.NodeSelectorTerm{MatchExpressions: t.MatchExpressions[j : j+1]}))
		}
		for j := range t.MatchFields {
			terms[i] = append(terms[i], parseExpression(corev1.NodeSelectorTerm{MatchFields: t.MatchFields[j : j+1]}))
		}
	}
	return terms
}

// parseExpression takes a term with one expression.
func parseExpression(t corev1.NodeSelectorTerm) expression {
	var e expression
	if e.onField = len(t.MatchFields) > 0; e.onField {
		e.NodeSelectorRequirement = t.MatchFields[0]
	} else {
		e.NodeSelectorRequirement = t.MatchExpressions[0]
	}
	// What is wrong with it the API server says; here it matches nothing.
	if parsed, err := nodeaffinity.NewNodeSelector(
		&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{t}},
	); err == nil {
		e.parsed = parsed
	}
	return e
}

func (c *check) checkAffinity() {
	if c.pod.unknown(PartAffinity) {
		c.template.unsure = true
		return
	}
	if c.pod.Required == nil {
		return
	}
	unsure := false
	for _, t := range c.pod.affinity {
		switch answer, _ := c.matches(t); answer {
		case platform.Yes:
			return
		case platform.Unknown:
			unsure = true
		case platform.No:
		}
	}
	if unsure {
		c.template.unsure = true
		return
	}
	c.refuse(&c.template, c.affinityKind(), c.explainAffinity)
}

// matches answers for a term; with No comes the first expression that does not
// match, nil if there is none at all.
func (c *check) matches(t term) (platform.Answer, *expression) {
	answer := platform.Yes
	for i := range t {
		switch c.holds(&t[i]) {
		case platform.No:
			return platform.No, &t[i]
		case platform.Unknown:
			answer = platform.Unknown
		case platform.Yes:
		}
	}
	if len(t) == 0 {
		return platform.No, nil
	}
	return answer, nil
}

func (c *check) holds(e *expression) platform.Answer {
	if e.parsed == nil {
		return platform.No
	}
	known := present
	switch {
	case !e.onField:
		_, known = c.nodes.label(c.node, e.Key)
	case e.Key == metav1.ObjectNameField:
		known = unknown
	}
	switch {
	case known == unknown:
		return platform.Unknown
	case e.parsed.Match(c.node.object):
		return platform.Yes
	case known == assumed:
		return platform.Unknown
	default:
		return platform.No
	}
}

// affinityKind is that of the Windows build if nothing else is in the way.
func (c *check) affinityKind() Kind {
	kind := KindAffinity
	for _, t := range c.pod.affinity {
		_, e := c.matches(t)
		if e == nil || e.onField || e.parsed == nil || e.Operator != corev1.NodeSelectorOpIn {
			return KindAffinity
		}
		if kind = c.kindOf(KindAffinity, e.Key); kind == KindAffinity {
			return kind
		}
	}
	return kind
}

// explainAffinity says of each term what does not match.
func (c *check) explainAffinity() (text, fix string) {
	var texts []string
	for _, t := range c.pod.affinity {
		_, e := c.matches(t)
		if e == nil {
			continue // an empty term is nobody's way to a node
		}
		var termText string
		termText, fix = c.explainExpression(e)
		if !slices.Contains(texts, termText) {
			texts = append(texts, termText)
		}
	}
	switch {
	case len(texts) == 0:
		return "the node affinity has no expressions, which matches no node", "remove the node affinity"
	case len(texts) > 1:
		fix = "change one of the terms of the node affinity"
	}
	return strings.Join(texts, "; or "), fix
}

func (c *check) explainExpression(e *expression) (text, fix string) {
	w := words{"requires ", "require ", "remove " + e.Key + " from the node affinity"}
	wanted := e.text()
	if e.parsed == nil || e.onField {
		return w.wants + wanted + ", which matches no node", "correct this expression of the node affinity"
	}
	has, known := c.nodes.label(c.node, e.Key)
	switch {
	case e.Operator == corev1.NodeSelectorOpIn:
		return c.mismatch(w, e.Key, e.Values...)
	case known == absent:
		return c.missing(w, wanted, e.Key)
	case e.Operator == corev1.NodeSelectorOpDoesNotExist:
		return w.wants + wanted + ", its nodes have " + e.Key + "=" + has, w.drop
	default:
		return w.wants + wanted + ", its nodes have " + orEmpty(has), w.drop
	}
}

// text is the expression the way that kubectl's selectors are written.
func (e *expression) text() string {
	values := strings.Join(e.Values, ", ")
	switch e.Operator {
	case corev1.NodeSelectorOpExists:
		return "a label " + e.Key
	case corev1.NodeSelectorOpDoesNotExist:
		return "no label " + e.Key
	case corev1.NodeSelectorOpGt:
		return e.Key + ">" + values
	case corev1.NodeSelectorOpLt:
		return e.Key + "<" + values
	case corev1.NodeSelectorOpNotIn:
		return e.Key + " not in (" + values + ")"
	case corev1.NodeSelectorOpIn:
		return e.Key + " in (" + values + ")"
	default:
		return e.Key + " " + orEmpty(string(e.Operator)) + " (" + values + ")"
	}
}
