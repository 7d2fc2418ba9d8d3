package azurenative

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// preview returns the known outputs before a request: the inputs.
func (t *resourceType) preview(inputs property.Map) property.Map {
	outputs := t.tree.preview(inputs).Set(apiVersionKey, property.New(t.apiVersion))
	if identity, ok := outputs.GetOk("identity"); ok && identity.IsMap() {
		// A list as an input, a map as an output.
		if set, ok := identity.AsMap().GetOk(identities); ok && set.IsArray() {
			outputs = outputs.Set("identity", property.New(identity.AsMap().Set(identities, unknown)))
		}
	}
	for _, path := range t.secrets {
		outputs = without(outputs, path)
	}
	return outputs
}

func (n *node) preview(inputs property.Map) property.Map {
	outputs := map[string]property.Value{}
	for name, below := range n.below {
		if !below.output {
			continue
		}
		if in, ok := inputs.GetOk(name); ok {
			outputs[name] = below.previewValue(in)
		} else {
			outputs[name] = unknown
		}
	}
	return property.NewMap(outputs)
}

func (n *node) previewValue(in property.Value) property.Value {
	each := n.below["*"]
	switch {
	case in.IsMap() && each != nil:
		object := map[string]property.Value{}
		for key, v := range in.AsMap().All {
			object[key] = each.previewValue(v)
		}
		return property.New(object).WithSecret(in.Secret())
	case in.IsArray() && each != nil:
		list := make([]property.Value, 0, in.AsArray().Len())
		for _, v := range in.AsArray().All {
			list = append(list, each.previewValue(v))
		}
		return property.New(list).WithSecret(in.Secret())
	case in.IsMap() && len(n.below) > 0:
		return property.New(n.preview(in.AsMap())).WithSecret(in.Secret())
	default:
		return in
	}
}

// without removes the property at a path from a map.
func without(m property.Map, path string) property.Map {
	name, rest, deeper := strings.Cut(path, ".")
	v, ok := m.GetOk(name)
	switch {
	case !ok:
		return m
	case !deeper:
		return m.Delete(name)
	default:
		return m.Set(name, withoutBelow(v, rest))
	}
}

// withoutBelow removes the property at a path below a value.
func withoutBelow(v property.Value, path string) property.Value {
	switch {
	case v.IsMap():
		return property.New(without(v.AsMap(), path)).WithSecret(v.Secret())
	case v.IsArray():
		list := v.AsArray().AsSlice()
		for i, e := range list {
			list[i] = withoutBelow(e, path)
		}
		return property.New(list).WithSecret(v.Secret())
	default:
		return v
	}
}
