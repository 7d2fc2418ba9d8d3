package topology

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Decode reads a topology from decoded YAML or JSON. The keys are the fields of [Topology], in lower camel case. A
// platform is written in any form that [platform.Parse] accepts, a taint as for [ParseTaint], and cpu and memory of
// reserved as strings. This is the only format of a topology: in a stack's configuration, in the file for `mixedkube
// check --topology`, and in the output of a stack (package stackoutput). Decode reports all errors, sorted, with paths
// below path (nil for the root); the topology is empty then. [Encode] is the inverse.
func Decode(raw any, path *field.Path) (Topology, field.ErrorList) {
	t, errs := Read(raw, path)
	// A value that could not be read is reported only once: not also as missing, and not for the value that replaces
	// it.
	unread := unreadOf(errs)
	for _, err := range t.Validate(path) {
		if !unread.contains(err.Field) {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		t = Topology{}
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return fielderrors.ComparePaths(a.Field, b.Field) })
	return t, errs
}

// Read is [Decode] without [Topology.Validate], for the arguments of components, which validate their topology together
// with other arguments. The errors are the values that could not be read; the topology has all others.
func Read(raw any, path *field.Path) (t Topology, errs field.ErrorList) {
	isPool := func(typ reflect.Type) bool { return typ == reflect.TypeFor[Pool]() }
	setPool := func(out reflect.Value, raw any, path *field.Path) field.ErrorList {
		pool, wrong := ReadPool(raw, path)
		out.Set(reflect.ValueOf(pool))
		return wrong
	}
	errs = tree.Decode(&t, raw, path, tree.TextAs(platformOf), tree.As(isPool, setPool))
	// An empty list differs from a missing one: the cluster has no RuntimeClasses.
	if classes, ok := tree.Map(raw)["runtimeClasses"].([]any); ok && len(classes) == 0 {
		t.RuntimeClasses = []RuntimeClass{}
	}
	return t, errs
}

// ReadPool is [Read] for one pool.
func ReadPool(raw any, path *field.Path) (p Pool, errs field.ErrorList) {
	errs = tree.Decode(&p, raw, path, tree.TextAs(taintOf), tree.TextAs(platformOf), tree.TextAs(tree.ParseQuantity))
	errorAt := firstAt(errs)
	unread := func(path *field.Path) bool { return errorAt[path.String()] != nil }
	fields := tree.Map(raw)
	// 0 and [] are refused because they look like values but mean the default.
	if count := path.Child("count"); fields["count"] != nil && p.Count == 0 && !unread(count) {
		errs = append(errs, field.Invalid(count, p.Count,
			"0 means the default: write empty: true for a pool that has no nodes for now"))
	}
	if taints, ok := fields["taints"].([]any); ok && len(taints) == 0 && p.Platform.IsWindows() {
		errs = append(errs, field.Invalid(path.Child("taints"), taints,
			"an empty list means the default: write untainted: true for a pool without taints"))
	}
	for j, taint := range tree.List(fields["taints"]) {
		if err := errorAt[path.Child("taints").Index(j).String()]; err != nil && tree.Map(taint) != nil {
			err.Detail += ", key=value:Effect: " + asText(tree.Map(taint))
		}
	}
	// A spot value that could not be read counts as true, so that a price is not reported as well.
	p.Spot = p.Spot || unread(path.Child("spot"))
	return p, errs
}

// firstAt returns the first error about the value at each path.
func firstAt(errs field.ErrorList) map[string]*field.Error {
	first := map[string]*field.Error{}
	for _, err := range errs {
		if first[err.Field] == nil {
			first[err.Field] = err
		}
	}
	return first
}

// asText returns how to write a taint that is an object, as in Kubernetes objects.
func asText(fields map[string]any) string {
	key, _ := tree.Text(fields["key"])
	value, _ := tree.Text(fields["value"])
	effect, _ := tree.Text(fields["effect"])
	taint := corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}
	if len(validateTaint(taint, nil)) > 0 {
		return "for example " + FormatTaint(WindowsTaint())
	}
	return "write " + FormatTaint(taint)
}

// platformOf returns an unknown platform unchanged: [Topology.Validate] reports which platforms a pool can have.
func platformOf(text string) (platform.Platform, error) {
	if p, err := platform.Parse(text); err == nil {
		return p, nil
	}
	return platform.Platform(text), nil
}

// taintOf is [ParseTaint] with an error that does not repeat the text.
func taintOf(text string) (corev1.Taint, error) {
	taint, err := ParseTaint(text)
	if err != nil {
		return taint, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), fmt.Sprintf("taint %q: ", text)))
	}
	return taint, nil
}

// unreadPaths are the paths of the values that could not be read. There can be many: no path is compared with each.
type unreadPaths struct {
	paths map[string]bool
	// lengths has the length of each path, because a long path has many parents.
	lengths map[int]bool
}

func unreadOf(errs field.ErrorList) unreadPaths {
	u := unreadPaths{map[string]bool{}, map[int]bool{}}
	for _, err := range errs {
		u.paths[err.Field], u.lengths[len(err.Field)] = true, true
	}
	return u
}

// contains reports whether a path is equal to one of the paths or below it.
func (u unreadPaths) contains(path string) bool {
	for i := range len(path) + 1 {
		isParent := i == len(path) || path[i] == '.' || path[i] == '['
		if isParent && u.lengths[i] && u.paths[path[:i]] {
			return true
		}
	}
	return false
}
