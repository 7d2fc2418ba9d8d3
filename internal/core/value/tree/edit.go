package tree

import (
	"maps"
	"reflect"
	"slices"
)

// Edit adds a value to an object, or removes one.
//
// Edits are made in their order, each in the result of the one before: removing a value and adding another one
// replaces it. A value on the path that is neither a map nor, for [Each], a list stays unchanged.
type Edit struct {
	// Path has the keys to the field, through maps. [Each] in it stands for the elements of a list.
	Path []string
	// Value is the value to add, or to remove.
	//
	// A value is added if the key has none: an existing one stays. If both are lists, the missing elements are appended
	// to the existing list. Nothing is added below the elements of a list that does not exist.
	//
	// A value is removed if it equals the existing one, nil is any value. If both are lists, the elements are
	// removed from the existing list. A value that is not known yet equals no other, and a secret one equals the value
	// that it holds.
	Value any
	// Remove removes the value, and each map and list that is empty then, except the object itself.
	Remove bool
}

// Each is the key for each element of a list in the path of an [Edit].
const Each = "*"

// Edited makes edits in a copy of an object.
func Edited(object map[string]any, edits []Edit) map[string]any {
	for _, e := range edits {
		edited, ok := e.Apply(object).(map[string]any)
		if !ok {
			edited = map[string]any{}
		}
		object = edited
	}
	return object
}

// Apply makes the edit in a copy of a tree. It returns nil if nothing is left of it.
func (e Edit) Apply(in any) any {
	if !e.Remove {
		return add(in, e.Path, e.Value)
	}
	out, left := remove(in, e.Path, e.Value)
	if !left {
		return nil
	}
	return out
}

func add(in any, path []string, value any) any {
	switch in := in.(type) {
	case nil:
		if len(path) == 0 {
			return value
		}
		if slices.Contains(path, Each) {
			return nil
		}
		return add(map[string]any{}, path, value)
	case map[string]any:
		if len(path) == 0 || path[0] == Each {
			return in
		}
		added := add(in[path[0]], path[1:], value)
		if added == nil {
			return in
		}
		out := make(map[string]any, len(in)+1)
		maps.Copy(out, in)
		out[path[0]] = added
		return out
	case []any:
		added, isList := value.([]any)
		switch {
		case len(path) == 0 && isList:
			return append(slices.Clip(in), Missing(in, added)...)
		case len(path) > 0 && path[0] == Each:
			out := slices.Clone(in)
			for i, element := range in {
				out[i] = add(element, path[1:], value)
			}
			return out
		}
		return in
	default:
		return in
	}
}

// remove returns false if nothing is left of a value.
func remove(in any, path []string, value any) (out any, left bool) {
	list, isList := in.([]any)
	removed, several := value.([]any)
	switch {
	case in == nil:
		return nil, true
	case len(path) == 0 && isList && several:
		rest := slices.DeleteFunc(slices.Clone(list), func(element any) bool { return Contains(removed, element) })
		return rest, len(rest) > 0 || len(list) == 0
	case len(path) == 0:
		return in, value != nil && !Equal(in, value)
	case isList && path[0] == Each:
		rest := make([]any, 0, len(list))
		for _, element := range list {
			if element, left := remove(element, path[1:], value); left {
				rest = append(rest, element)
			}
		}
		return rest, len(rest) > 0 || len(list) == 0
	}
	m, _ := in.(map[string]any)
	element, exists := m[path[0]]
	if !exists || path[0] == Each {
		return in, true
	}
	rest := maps.Clone(m)
	if rest[path[0]], left = remove(element, path[1:], value); !left {
		delete(rest, path[0])
	}
	return rest, len(rest) > 0
}

// Missing returns the elements that a list does not have.
func Missing(list, elements []any) []any {
	return slices.DeleteFunc(slices.Clone(elements), func(element any) bool { return Contains(list, element) })
}

// Contains reports whether a list has an element.
func Contains(list []any, element any) bool {
	return slices.ContainsFunc(list, func(have any) bool { return Equal(have, element) })
}

// Empty reports whether a value is null, or a map or a list without elements.
func Empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	default:
		return false
	}
}

// Equal reports whether two values are equal. A secret equals the value that it holds, and a value that is not known
// yet equals no other.
func Equal(a, b any) bool { return equal(a, b, false) }

// MayEqual is Equal if a value that is not known yet equals any other, and none.
func MayEqual(a, b any) bool { return equal(a, b, true) }

func equal(a, b any, unknown bool) bool {
	a, b = Reveal(a), Reveal(b)
	if IsUnknown(a) || IsUnknown(b) {
		return unknown
	}
	switch a := a.(type) {
	case map[string]any:
		b, isMap := b.(map[string]any)
		if !isMap {
			return false
		}
		for key := range b {
			if _, exists := a[key]; !exists && (!unknown || !IsUnknown(b[key])) {
				return false
			}
		}
		for key, element := range a {
			other, exists := b[key]
			if !exists && (!unknown || !IsUnknown(element)) || exists && !equal(element, other, unknown) {
				return false
			}
		}
		return true
	case []any:
		b, isList := b.([]any)
		return isList && slices.EqualFunc(a, b, func(a, b any) bool { return equal(a, b, unknown) })
	default:
		return reflect.DeepEqual(a, b)
	}
}
