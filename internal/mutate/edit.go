package mutate

import (
	"maps"
	"reflect"
	"slices"
)

// Edit adds a value to an object.
type Edit struct {
	// Path has the keys to the field, through maps only.
	Path []string
	// Value is set at the path. If both are lists, the missing elements are appended to the existing list.
	Value any
}

// Apply makes the edits in a copy of an object. A value on their path that is not a map stays
// unchanged.
func Apply(object map[string]any, edits []Edit) map[string]any {
	for _, e := range edits {
		object, _ = e.Apply(object).(map[string]any)
	}
	return object
}

// Apply makes the edit in a copy of a tree.
func (e Edit) Apply(in any) any { return add(in, e.Path, e.Value) }

func add(in any, path []string, value any) any {
	switch in := in.(type) {
	case nil:
		if len(path) == 0 {
			return value
		}
		return add(map[string]any{}, path, value)
	case map[string]any:
		if len(path) == 0 {
			return in
		}
		out := make(map[string]any, len(in)+1)
		maps.Copy(out, in)
		out[path[0]] = add(in[path[0]], path[1:], value)
		return out
	case []any:
		added, ok := value.([]any)
		if !ok || len(path) > 0 {
			return in
		}
		return slices.Concat(in, Missing(in, added))
	default:
		return in
	}
}

// Missing returns the elements that a list does not have.
func Missing(list, elements []any) []any {
	return slices.DeleteFunc(slices.Clone(elements), func(element any) bool {
		return slices.ContainsFunc(list, func(have any) bool { return reflect.DeepEqual(have, element) })
	})
}
