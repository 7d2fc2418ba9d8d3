package topology

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
)

// WindowsTaint returns the default taint of Windows pools: os=windows:NoSchedule, as in the Kubernetes guide for
// Windows (https://kubernetes.io/docs/concepts/windows/user-guide/). It keeps pods that do not state their operating
// system off the Windows nodes.
func WindowsTaint() corev1.Taint {
	return corev1.Taint{Key: "os", Value: "windows", Effect: corev1.TaintEffectNoSchedule}
}

// tellsSystem reports whether a taint of the pool only repels pods for other operating systems, and reserves nothing:
// [WindowsTaint], or on Linux nodes a key "os" in any domain with the value linux. Rancher taints Linux nodes with
// cattle.io/os=linux:NoSchedule in clusters with Windows (https://github.com/rancher/fleet/issues/324).
func (p Pool) tellsSystem(t corev1.Taint) bool {
	if p.Platform.IsWindows() {
		return HasTaint([]corev1.Taint{WindowsTaint()}, t)
	}
	return (t.Key == "os" || strings.HasSuffix(t.Key, "/os")) && t.Value == string(platform.LinuxOS)
}

// Repels reports whether the pool has a taint that repels pods without a matching toleration.
func (p Pool) Repels() bool {
	return slices.ContainsFunc(p.Taints,
		func(t corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule })
}

// HasTaint reports whether taints contain a taint with the same key, value and effect.
func HasTaint(taints []corev1.Taint, taint corev1.Taint) bool {
	return slices.ContainsFunc(taints,
		func(t corev1.Taint) bool { return t.MatchTaint(&taint) && t.Value == taint.Value })
}

// ParseTaint reads a taint in the format of kubectl and the kubelet's --register-with-taints: "key=value:Effect" or,
// without a value, "key:Effect". The error states on one line which part is wrong and why.
func ParseTaint(s string) (corev1.Taint, error) {
	head, effect, ok := strings.Cut(s, ":")
	if !ok {
		return corev1.Taint{},
			fmt.Errorf("taint %q has no effect: write key=value:Effect, for example %s", s, FormatTaint(WindowsTaint()))
	}
	key, value, _ := strings.Cut(head, "=")
	taint := corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}
	var wrong []string
	for _, err := range validateTaint(taint, nil) {
		wrong = append(wrong, fmt.Sprintf("%s %q: %s", err.Field, err.BadValue, err.Detail))
	}
	if len(wrong) > 0 {
		return corev1.Taint{}, fmt.Errorf("taint %q: %s", s, strings.Join(wrong, "; "))
	}
	return taint, nil
}

// FormatTaint returns a taint in the format that [ParseTaint] reads.
func FormatTaint(t corev1.Taint) string {
	return t.ToString()
}

// validateTaint applies the API server's rules for a taint
// (pkg/apis/core/validation/validation.go, ValidateNodeTaints).
func validateTaint(t corev1.Taint, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range validation.IsQualifiedName(t.Key) {
		errs = append(errs, field.Invalid(path.Child("key"), t.Key, msg))
	}
	for _, msg := range validation.IsValidLabelValue(t.Value) {
		errs = append(errs, field.Invalid(path.Child("value"), t.Value, msg))
	}
	if effects := taintEffects(); !slices.Contains(effects, t.Effect) {
		errs = append(errs, field.Invalid(path.Child("effect"), t.Effect,
			choose("valid effects are", t.Effect, effects)))
	}
	return errs
}

func taintEffects() []corev1.TaintEffect {
	return []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule,
		corev1.TaintEffectNoExecute,
	}
}
