package input

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/mutate"
)

// EditProperties makes edits in the properties of a resource, as transforms have them.
// It changes none in place.
func EditProperties(edits []mutate.Edit, props pulumi.Map) pulumi.Map {
	for _, e := range edits {
		if edited, ok := edit(props, e).(pulumi.Map); ok {
			props = edited
		}
	}
	return props
}

// edit returns a copy of in with the edit. Where a part of it is an output, the
// edit is made when the output is known. A value that is there already stays:
// edits add, and replace nothing.
func edit(in pulumi.Input, e mutate.Edit) pulumi.Input {
	switch in := in.(type) {
	case nil:
		return pulumi.ToOutput(e.Apply(nil))
	case pulumi.Map:
		if len(e.Path) == 0 {
			return in
		}
		out := maps.Clone(in)
		out[e.Path[0]] = edit(in[e.Path[0]], mutate.Edit{Path: e.Path[1:], Value: e.Value})
		return out
	case pulumi.Array:
		added, ok := e.Value.([]any)
		if !ok || len(e.Path) > 0 {
			return in
		}
		out := slices.Clone(in)
		for _, element := range added {
			out = append(out, pulumi.ToOutput(element))
		}
		return out
	case pulumi.Output:
		return pulumi.ToOutput(in).ApplyT(e.Apply)
	default:
		return in
	}
}
