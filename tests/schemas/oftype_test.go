package schemas

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// typeOptions add details to the schema of a type that the type itself does not have.
type typeOptions struct {
	// types are the schemas of types that have their own decoding, with [tree.TextAs] or [tree.As],
	// or that have few values.
	types map[reflect.Type]map[string]any
	// field may change the schema of a field of a struct, and reports whether the field is required although
	// it does not have the tag required. It may be nil.
	field func(owner reflect.Type, f reflect.StructField, schema map[string]any) (required bool)
}

// ofType returns the JSON schema of the documents that [tree.Decode] decodes into a value of a type. It refuses
// other keys, and treats a key with null as missing. It is a schema of draft 07, which editors support.
func ofType(t reflect.Type, o typeOptions) map[string]any {
	if schema, ok := o.types[t]; ok {
		return maps.Clone(schema)
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": ofType(t.Elem(), o)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": ofType(t.Elem(), o)}
	case reflect.Interface:
		return map[string]any{}
	case reflect.Pointer:
		return ofType(t.Elem(), o)
	case reflect.Struct:
		return o.object(t)
	default:
		panic(fmt.Sprintf("schema: cannot decode a %s", t))
	}
}

func (o typeOptions) object(t reflect.Type) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, f := range reflect.VisibleFields(t) {
		key := tree.Key(f)
		if key == "" {
			continue
		}
		schema := ofType(f.Type, o)
		if _, ok := f.Tag.Lookup("number"); ok {
			schema["type"] = []string{"string", "integer"}
		}
		_, must := f.Tag.Lookup("required")
		if must {
			notEmpty(schema)
		}
		if o.field != nil && o.field(owner(t, f), f, schema) {
			must = true
		}
		if must {
			required = append(required, key)
		} else {
			nullable(schema)
		}
		properties[key] = schema
	}
	object := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if slices.Sort(required); len(required) > 0 {
		object["required"] = required
	}
	return object
}

// owner returns the struct that has a field, which may be an embedded struct.
func owner(t reflect.Type, f reflect.StructField) reflect.Type {
	if len(f.Index) == 1 {
		return t
	}
	return t.FieldByIndex(f.Index[:len(f.Index)-1]).Type
}

// notEmpty makes the schema of a required value refuse an empty value.
func notEmpty(schema map[string]any) {
	switch schema["type"] {
	case "string":
		schema["minLength"] = 1
	case "array":
		schema["minItems"] = 1
	}
}

// nullable makes a schema also accept null, and an enum also the empty string: both count as a missing
// value.
func nullable(schema map[string]any) {
	switch typ := schema["type"].(type) {
	case string:
		schema["type"] = []string{typ, "null"}
	case []string:
		schema["type"] = append(slices.Clone(typ), "null")
	}
	switch values := schema["enum"].(type) {
	case []string:
		all := make([]any, len(values), len(values)+2)
		for i, v := range values {
			all[i] = v
		}
		schema["enum"] = append(all, "", nil)
	case nil:
	default:
		panic(fmt.Sprintf("schema: an enum of %T", values))
	}
	if ways, ok := schema["anyOf"].([]map[string]any); ok {
		schema["anyOf"] = append(slices.Clone(ways), map[string]any{"type": "null"})
	}
}
