package schemas

import (
	"fmt"
	"maps"
	"slices"
)

// variations yields documents with one changed value, and a description of the change.
func variations(document any) func(yield func(changed any, how string) bool) {
	others := []any{nil, true, 3.0, 2.5, "x", "", []any{}, map[string]any{}, []any{"x"}, map[string]any{"x": 1.0}}
	return func(yield func(any, string) bool) {
		going := true
		var visit func(value any, path string, with func(any) any)
		visit = func(value any, path string, with func(any) any) {
			for _, other := range others {
				if going = going && yield(with(other), fmt.Sprintf("%s = %#v", path, other)); !going {
					return
				}
			}
			switch value := value.(type) {
			case map[string]any:
				added := maps.Clone(value)
				added["unknownKey"] = "x"
				if going = going && yield(with(added), path+" has an unknown key"); !going {
					return
				}
				for _, key := range slices.Sorted(maps.Keys(value)) {
					without := maps.Clone(value)
					delete(without, key)
					if going = going && yield(with(without), path+"."+key+" is left out"); !going {
						return
					}
					visit(value[key], path+"."+key, func(other any) any {
						changed := maps.Clone(value)
						changed[key] = other
						return with(changed)
					})
				}
			case []any:
				for i := range value {
					visit(value[i], fmt.Sprintf("%s[%d]", path, i), func(other any) any {
						changed := slices.Clone(value)
						changed[i] = other
						return with(changed)
					})
				}
			}
		}
		visit(document, "", func(changed any) any { return changed })
	}
}

// sample returns a value with all fields of a schema, which the decoder can read.
func sample(schema map[string]any) any {
	if ways, ok := schema["anyOf"].([]any); ok {
		return sample(ways[0].(map[string]any))
	}
	if values, ok := schema["enum"].([]any); ok {
		return values[0]
	}
	typ := schema["type"]
	if several, ok := typ.([]any); ok {
		typ = several[0]
	}
	switch typ {
	case "boolean":
		return true
	case "integer", "number":
		return 1.0
	case "array":
		return []any{sample(schema["items"].(map[string]any))}
	case "object":
		object := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for key, property := range properties {
			object[key] = sample(property.(map[string]any))
		}
		if others, ok := schema["additionalProperties"].(map[string]any); ok {
			object["x"] = sample(others)
		}
		return object
	default:
		return "1"
	}
}
