package azurenative

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// plain converts a value to its JSON form, without Pulumi's secrets and dependencies. An unknown value is nil.
func plain(v property.Value) any {
	switch {
	case v.IsBool():
		return v.AsBool()
	case v.IsNumber():
		return v.AsNumber()
	case v.IsString():
		return v.AsString()
	case v.IsMap():
		return plainMap(v.AsMap())
	case v.IsArray():
		list := make([]any, 0, v.AsArray().Len())
		for _, e := range v.AsArray().All {
			list = append(list, plain(e))
		}
		return list
	default:
		return nil
	}
}

func plainMap(m property.Map) map[string]any {
	object := map[string]any{}
	for key, v := range m.All {
		if p := plain(v); p != nil {
			object[key] = p
		}
	}
	return object
}

// value converts a JSON value to Pulumi's form.
func value(v any) property.Value {
	switch v := v.(type) {
	case map[string]any:
		return property.New(valueMap(v))
	case []any:
		list := make([]property.Value, 0, len(v))
		for _, e := range v {
			list = append(list, value(e))
		}
		return property.New(list)
	case int:
		return property.New(float64(v))
	default:
		p, err := property.Any(v)
		if err != nil {
			panic(fmt.Sprintf("the simulated Azure answered a %T: %v", v, err))
		}
		return p
	}
}

func valueMap(object map[string]any) property.Map {
	m := map[string]property.Value{}
	for key, v := range object {
		if v != nil {
			m[key] = value(v)
		}
	}
	return property.NewMap(m)
}

var unknown = property.New(property.Computed)

// hide marks outputs as secret if their inputs are. The engine does it for providers that do not accept secrets, such
// as azure-native, but pulumi-go-provider accepts them.
func hide(outputs, inputs property.Map) property.Map {
	for key, in := range inputs.All {
		if out, ok := outputs.GetOk(key); ok {
			outputs = outputs.Set(key, hideValue(out, in))
		}
	}
	return outputs
}

func hideValue(out, in property.Value) property.Value {
	switch {
	case in.Secret():
		return out.WithSecret(true)
	case in.IsMap() && out.IsMap():
		return property.New(hide(out.AsMap(), in.AsMap())).WithSecret(out.Secret())
	case in.IsArray() && out.IsArray():
		list, ins := out.AsArray().AsSlice(), in.AsArray().AsSlice()
		for i := range min(len(list), len(ins)) {
			list[i] = hideValue(list[i], ins[i])
		}
		return property.New(list).WithSecret(out.Secret())
	default:
		return out
	}
}
