package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/mixedkube/mixedkube/core/platform"
)

// term is one of the alternatives of a node affinity. All its expressions must
// match, and a term without expressions matches no node.
type term []expression

// expression is one requirement of a term. component-helpers answers only yes or no,
// and only for a whole affinity. With one affinity for each expression, the
// answer can also be unknown.
type expression struct {
	corev1.NodeSelectorRequirement
	// onField is true if the expression is about a field of the node.
	onField bool
	// parsed is nil if the expression is not valid, and so matches no node.
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
	// The API server reports an invalid expression; here it matches no node.
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
	switch c.anyOf(c.pod.affinity) {
	case platform.Unknown:
		c.template.unsure = true
	case platform.No:
		c.refuse(&c.template, c.affinityKind(), c.explainAffinity)
		c.about(c.failingKey(), false)
	case platform.Yes:
	}
}

// matches returns the answer for a term. With No, it returns the first expression that
// does not match, nil if the term has no expressions.
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
	if e.parsed == nil || c.selectsNever(e) {
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
	case known == assumed && !c.requiresNoLabel(e):
		return platform.Unknown
	default:
		return platform.No
	}
}

// failingKey returns the key of an expression that does not match, "" if there is none.
func (c *check) failingKey() string {
	for _, t := range c.pod.affinity {
		if _, e := c.matches(t); e != nil {
			return e.Key
		}
	}
	return ""
}

// affinityKind returns the kind of the Windows build if nothing else refuses the pool.
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

// explainAffinity describes what does not match in each term.
func (c *check) explainAffinity() (text, fix string) {
	text, fix = c.explainTerms(c.pod.affinity, words{requires: "requires ", change: "require "})
	if text == "" {
		return "the node affinity has no expressions, which matches no node", "remove the node affinity"
	}
	return text, fix
}

// explainTerms describes what does not match in each term. The text is empty if the terms have no expressions.
func (c *check) explainTerms(terms []term, w words) (text, fix string) {
	var texts []string
	for _, t := range terms {
		_, e := c.matches(t)
		if e == nil {
			continue // an empty term matches no node
		}
		var termText string
		termText, fix = c.explainExpression(e, w)
		if !slices.Contains(texts, termText) {
			texts = append(texts, termText)
		}
	}
	if len(texts) > 1 {
		fix = "change one of the terms of the node affinity"
	}
	return strings.Join(texts, "; or "), fix
}

func (c *check) explainExpression(e *expression, w words) (text, fix string) {
	w.drop = "remove " + e.Key + " from the node affinity"
	required := e.text()
	if c.selectsNever(e) {
		return w.requires + required + c.explainNever(e.Key, e.Values), w.drop
	}
	if e.parsed == nil || e.onField {
		return w.requires + required + ", which matches no node", "correct this expression of the node affinity"
	}
	has, known := c.nodes.label(c.node, e.Key)
	switch {
	case e.Operator == corev1.NodeSelectorOpIn:
		return c.mismatch(w, e.Key, e.Values...)
	case known == absent:
		return c.missing(w, required, e.Key)
	case known == assumed: // only its value is not known
		return w.requires + required + ", but its nodes have one", w.drop
	case e.Operator == corev1.NodeSelectorOpDoesNotExist:
		return w.requires + required + ", but its nodes have " + e.Key + "=" + has, w.drop
	default:
		return w.requires + required + ", but its nodes have " + orEmpty(has), w.drop
	}
}

// text returns the expression in the syntax of kubectl's selectors.
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
