package guard

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/completion"
)

// apply makes the edits of a completion in the properties of a resource, of which
// it changes none in place.
func apply(edits []completion.Edit, props pulumi.Map) pulumi.Map {
	for _, e := range edits {
		props = edit(props, e.Path, e.Value).(pulumi.Map)
	}
	return props
}

// edit returns a copy of in that has the value at the path. Where a part of it is
// an output, the edit is made when the output is known.
func edit(in pulumi.Input, path []string, value any) pulumi.Input {
	switch in := in.(type) {
	case nil:
		if len(path) == 0 {
			return pulumi.ToOutput(value)
		}
		return edit(pulumi.Map{}, path, value)
	case pulumi.Map:
		out := maps.Clone(in)
		out[path[0]] = edit(in[path[0]], path[1:], value)
		return out
	case pulumi.Array:
		added := value.([]any)
		out := slices.Clone(in)
		for _, element := range added {
			out = append(out, pulumi.ToOutput(element))
		}
		return out
	case pulumi.Output:
		return pulumi.ToOutput(in).ApplyT(func(v any) any { return editPlain(v, path, value) })
	default:
		// A value is there already; edits add, and replace nothing.
		return in
	}
}

// editPlain is edit for the value of an output, and for the tree of an object.
func editPlain(in any, path []string, value any) any {
	switch in := in.(type) {
	case nil:
		if len(path) == 0 {
			return value
		}
		return editPlain(map[string]any{}, path, value)
	case map[string]any:
		out := maps.Clone(in)
		out[path[0]] = editPlain(in[path[0]], path[1:], value)
		return out
	case []any:
		return slices.Concat(in, value.([]any))
	default:
		return in
	}
}
