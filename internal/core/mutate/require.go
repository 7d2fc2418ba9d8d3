package mutate

import (
	"reflect"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Want is the value that a field of the pods' spec must have.
type Want struct {
	// Path has the keys of the field in the spec.
	Path []string
	// Value is a text or a bool.
	Value any
	// AnyCase ignores upper and lower case.
	AnyCase bool
}

// Conflict is a field that has another value than it must have.
type Conflict struct {
	Want Want
	// Path is the path of the field in the object, and Have its value. If Have is [tree.Unknown], Path
	// may be the path of a field above that is not known yet.
	Path string
	Have any
}

// Fix returns an object in which the fields of conflicts have the required values. It is for
// callers that report the conflicts themselves, and check the rest of the object.
func Fix(p *pods.Pods, object map[string]any, conflicts []Conflict) map[string]any {
	for _, c := range conflicts {
		object = tree.Map(tree.With(object, slices.Concat(p.SpecPath(), c.Want.Path), c.Want.Value))
	}
	return object
}

// Require returns the edits that set the missing values, and the fields that have other
// values.
func Require(p *pods.Pods, wants []Want) (edits []Edit, conflicts []Conflict) {
	for _, w := range wants {
		have, at := lookUp(p.Spec, w.Path)
		switch {
		case have == nil:
		case w.is(have):
			continue
		default:
			conflicts = append(conflicts, Conflict{w, p.Path(parts(at)...), have})
		}
		if have == nil || tree.IsUnknown(have) {
			edits = append(edits, Edit{Path: slices.Concat(p.SpecPath(), w.Path), Value: w.Value})
		}
	}
	return edits, conflicts
}

// lookUp returns the value at a path, and the path; or the unknown value above it, and its path.
func lookUp(spec map[string]any, path []string) (have any, at []string) {
	have = spec
	for i, key := range path {
		if tree.IsUnknown(have) {
			return have, path[:i]
		}
		have = tree.Map(have)[key]
	}
	return have, path
}

func (w Want) is(have any) bool {
	have = tree.Reveal(have)
	text, isText := have.(string)
	required, requiresText := w.Value.(string)
	if w.AnyCase && isText && requiresText {
		return strings.EqualFold(text, required)
	}
	return reflect.DeepEqual(have, w.Value)
}

// parts writes the keys of a path as Kubernetes does: labels in brackets.
func parts(keys []string) []any {
	parts := make([]any, len(keys))
	for i, key := range keys {
		if i > 0 && keys[i-1] == "nodeSelector" {
			parts[i] = pods.Key(key)
			continue
		}
		parts[i] = key
	}
	return parts
}
