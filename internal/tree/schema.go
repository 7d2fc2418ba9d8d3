package tree

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// SchemaOptions say what a [Schema] has beside what the types say.
type SchemaOptions struct {
	// Types are the schemas of types that are read in a way of their own, with [TextAs] or [As], or
	// whose values are few.
	Types map[reflect.Type]map[string]any
	// Field may change the schema of a field of a struct, and reports whether the field must be given
	// although it has no tag that says so. nil changes nothing.
	Field func(owner reflect.Type, f reflect.StructField, schema map[string]any) (required bool)
}

// Schema is the JSON schema of what [Decode] reads into a value of a type: other keys are refused, and
// a key with null counts as left out. It is one of draft 07, which editors know.
func Schema(t reflect.Type, o SchemaOptions) map[string]any {
	if schema, ok := o.Types[t]; ok {
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
		return map[string]any{"type": "array", "items": Schema(t.Elem(), o)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": Schema(t.Elem(), o)}
	case reflect.Interface:
		return map[string]any{}
	case reflect.Pointer:
		return Schema(t.Elem(), o)
	case reflect.Struct:
		return o.object(t)
	default:
		panic(fmt.Sprintf("schema: a %s cannot be read", t))
	}
}

func (o SchemaOptions) object(t reflect.Type) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, f := range reflect.VisibleFields(t) {
		key := Key(f)
		if key == "" {
			continue
		}
		schema := Schema(f.Type, o)
		if _, ok := f.Tag.Lookup("number"); ok {
			schema["type"] = []string{"string", "integer"}
		}
		_, must := f.Tag.Lookup("required")
		if must {
			notEmpty(schema)
		}
		if o.Field != nil && o.Field(owner(t, f), f, schema) {
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

// owner is the struct that has a field, which may be one that is embedded.
func owner(t reflect.Type, f reflect.StructField) reflect.Type {
	if len(f.Index) == 1 {
		return t
	}
	return t.FieldByIndex(f.Index[:len(f.Index)-1]).Type
}

// notEmpty refuses what counts as empty where a value is required.
func notEmpty(schema map[string]any) {
	switch schema["type"] {
	case "string":
		schema["minLength"] = 1
	case "array":
		schema["minItems"] = 1
	}
}

// nullable lets a schema take null as well, and where there are only some texts, the empty one: both
// count as left out.
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
