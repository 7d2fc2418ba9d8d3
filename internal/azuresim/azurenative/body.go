package azurenative

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

const (
	apiVersionKey = "azureApiVersion"
	identities    = "userAssignedIdentities"
)

// topOfNested are the properties at the top of a nested object of the network API.
var topOfNested = []string{"etag", "extendedLocation", "id", "kind", "location", "name", "sku", "tags", "type", "zones"}

// asIs are properties of any form, in which names have no meaning.
var asIs = []string{"protectedSettings", "settings"}

// isTopOf reports whether a property of a nested object is at its top.
func (t *resourceType) isTopOf(nested, name string) bool {
	return slices.Contains(topOfNested, name) && !slices.Contains(t.nestedBelow[nested], name)
}

// body returns the body of a PUT with the inputs.
func (t *resourceType) body(inputs map[string]any) arm.Body {
	body, below := arm.Body{}, map[string]any{}
	for name, value := range inputs {
		switch {
		case name == apiVersionKey || strings.HasPrefix(name, "__") || slices.Contains(t.InPath(), name):
		case t.top == nil || slices.Contains(t.top, name):
			body[name] = t.below(name, value)
		default:
			below[name] = t.below(name, value)
		}
	}
	if len(below) > 0 {
		body["properties"] = below
	}
	return body
}

// below returns the value of a property in a body.
func (t *resourceType) below(name string, value any) any {
	if slices.Contains(asIs, name) {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		object, properties := map[string]any{}, map[string]any{}
		for key, v := range value {
			if list, ok := v.([]any); ok && name == "identity" && key == identities {
				object[key] = asKeys(list)
				continue
			}
			v = t.below(key, v)
			if slices.Contains(t.nested, name) && !t.isTopOf(name, key) {
				properties[key] = v
			} else {
				object[key] = v
			}
		}
		if len(properties) > 0 {
			object["properties"] = properties
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i, v := range value {
			list[i] = t.below(name, v)
		}
		return list
	default:
		return value
	}
}

// asKeys converts a list to Azure's form of a set: the keys of an object.
func asKeys(list []any) map[string]any {
	set := map[string]any{}
	for _, v := range list {
		if key, ok := v.(string); ok {
			set[key] = map[string]any{}
		}
	}
	return set
}

// outputs converts a body to outputs of the SDK.
func (t *resourceType) outputs(body arm.Body) map[string]any {
	flat := maps.Clone(body)
	if t.top != nil {
		flat = t.flatten(body)
	}
	outputs := t.tree.keep(flat, isOutput).(map[string]any)
	outputs[apiVersionKey] = t.apiVersion
	for _, path := range t.secrets {
		forget(outputs, strings.Split(path, "."))
	}
	return outputs
}

// flatten moves the properties below "properties" to the level above. Existing ones stay: a pool has a type at the top,
// and another one below.
func (t *resourceType) flatten(body map[string]any) map[string]any {
	flat := map[string]any{}
	below, _ := body["properties"].(map[string]any)
	for _, level := range []map[string]any{below, body} {
		for name, value := range level {
			if name != "properties" {
				flat[name] = t.flattenNested(name, value)
			}
		}
	}
	return flat
}

func (t *resourceType) flattenNested(name string, value any) any {
	if slices.Contains(asIs, name) {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		if slices.Contains(t.nested, name) {
			return t.flatten(value)
		}
		object := map[string]any{}
		for key, v := range value {
			object[key] = t.flattenNested(key, v)
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i, v := range value {
			list[i] = t.flattenNested(name, v)
		}
		return list
	default:
		return value
	}
}

// forget removes the property at a path.
func forget(value any, path []string) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			forget(v, path)
		}
	case map[string]any:
		if len(path) == 1 {
			delete(value, path[0])
		} else {
			forget(value[path[0]], path[1:])
		}
	}
}

// inputsOf returns the part of some outputs that can be inputs.
func (t *resourceType) inputsOf(outputs map[string]any) map[string]any {
	inputs := t.tree.keep(outputs, isInput).(map[string]any)
	if identity, ok := inputs["identity"].(map[string]any); ok {
		if set, ok := identity[identities].(map[string]any); ok {
			list := []any{}
			for _, key := range slices.Sorted(maps.Keys(set)) {
				list = append(list, key)
			}
			identity[identities] = list
		}
	}
	return inputs
}

// inputsOfBody returns the part of a body that can be inputs, for an import.
func (t *resourceType) inputsOfBody(body arm.Body) map[string]any {
	if t.top == nil {
		return t.inputsOf(body)
	}
	flat := t.flatten(body)
	if below, ok := body["properties"].(map[string]any); ok {
		for name, value := range below {
			if !slices.Contains(t.top, name) {
				flat[name] = t.flattenNested(name, value)
			}
		}
	}
	return t.inputsOf(flat)
}
