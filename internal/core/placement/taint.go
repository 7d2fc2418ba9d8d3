package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"

	"github.com/mixedkube/mixedkube/core/topology"
)

func (c *check) checkTaints() {
	for i := range c.node.taints {
		taint := &c.node.taints[i]
		if c.tolerated(taint) {
			continue
		}
		byClass := c.pod.RuntimeClass != nil && Tolerates(c.pod.RuntimeClass.Tolerations, taint)
		switch {
		case byClass && !c.pod.DaemonSet:
		case c.pod.unknown(PartTolerations):
			c.template.unsure = true
		case byClass:
			c.refuse(&c.ignored, KindRuntimeClass, func() (string, string) { return c.explainIgnored(taint) })
		// The DaemonSet controller never checks the class.
		case c.pod.unknown(PartRuntimeClass) && !c.pod.DaemonSet:
			c.template.unsure = true
		default:
			c.refuse(&c.template, KindTaint, func() (string, string) { return c.explainTaint(taint) })
		}
	}
}

// tolerated reports whether the pod tolerates a taint without its RuntimeClass.
func (c *check) tolerated(taint *corev1.Taint) bool {
	return Tolerates(c.pod.Tolerations, taint) || c.pod.DaemonSet && daemonSetTolerates(taint, c.pod.HostNetwork)
}

// Tolerates reports whether one of the tolerations tolerates a taint, like the scheduler.
func Tolerates(tolerations []corev1.Toleration, taint *corev1.Taint) bool {
	return unlogged(scheduling.TolerationsTolerateTaint, tolerations, taint)
}

// unlogged calls a function of component-helpers with the zero logger, which
// logs nothing, and without the operators Lt and Gt, whose feature gate is off
// by default.
func unlogged[Logger any](
	f func(Logger, []corev1.Toleration, *corev1.Taint, bool) bool, tolerations []corev1.Toleration, taint *corev1.Taint,
) bool {
	var logger Logger
	return f(logger, tolerations, taint, false)
}

func (c *check) explainTaint(taint *corev1.Taint) (text, fix string) {
	text = "its taint " + topology.FormatTaint(*taint) + " is not tolerated"
	whose := "the toleration"
	difference, fix := nearToleration(c.pod.Tolerations, taint)
	if difference == "" && c.pod.RuntimeClass != nil {
		whose += " of RuntimeClass " + c.pod.RuntimeClass.Name
		difference, fix = nearToleration(c.pod.RuntimeClass.Tolerations, taint)
	}
	if difference == "" {
		return text, "tolerate " + topology.FormatTaint(*taint)
	}
	return text + ": " + whose + " " + difference, fix
}

// nearToleration returns how the toleration that is probably for a taint differs
// from it; "" if there is none.
func nearToleration(tolerations []corev1.Toleration, taint *corev1.Taint) (difference, fix string) {
	keys := make([]string, len(tolerations))
	for i, t := range tolerations {
		keys[i] = t.Key
	}
	// A toleration without a key is for every key.
	for _, key := range []string{taint.Key, ""} {
		if i := slices.Index(keys, key); i >= 0 {
			return compareToleration(tolerations[i], taint)
		}
	}
	if near, ok := nearKey(taint.Key, keys); ok {
		return "is for the key " + near, "use the key " + taint.Key
	}
	return "", ""
}

// compareToleration is nearToleration for a toleration with the key of the taint.
func compareToleration(t corev1.Toleration, taint *corev1.Taint) (difference, fix string) {
	var differences, fixes []string
	differs := func(difference, fix string) {
		differences, fixes = append(differences, difference), append(fixes, fix)
	}
	switch t.Operator {
	case corev1.TolerationOpExists:
	case corev1.TolerationOpEqual, "":
		switch {
		case t.Value == taint.Value:
		case strings.EqualFold(t.Value, taint.Value):
			differs("has the value "+t.Value+", and case matters", "the value "+taint.Value)
		default:
			differs("has the value "+orEmpty(t.Value), "the value "+orEmpty(taint.Value))
		}
	case corev1.TolerationOpLt, corev1.TolerationOpGt:
		differs(fmt.Sprintf("has the operator %s, whose feature gate is off by default", t.Operator),
			"the operator Equal")
	default:
		differs("has the operator "+string(t.Operator), "the operator Equal")
	}
	if t.Effect != "" && t.Effect != taint.Effect {
		differs("is for "+string(t.Effect)+" only", "the effect "+string(taint.Effect))
	}
	return strings.Join(differences, " and "), "use " + strings.Join(fixes, " and ")
}
