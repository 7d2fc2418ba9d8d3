package refusal

import (
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Stop returns the properties of a Kubernetes object with which it stays out of the
// cluster: its registration fails with the error. When that is to be later, it continues
// with annotations that are not known: then Pulumi's Kubernetes provider does not ask
// the API server, which would end the preview with the first object that it refuses, and
// what depends on the object is seen as well.
func Stop(ctx *pulumi.Context, props pulumi.Map, why error, later bool) pulumi.Map {
	props = maps.Clone(props)
	if !later {
		output, _, reject := ctx.NewOutput()
		reject(why)
		props["metadata"] = output
		return props
	}
	metadata := pulumi.Map{}
	if given, ok := props["metadata"].(pulumi.Map); ok {
		metadata = maps.Clone(given)
	}
	metadata["annotations"] = pulumi.UnsafeUnknownOutput(nil)
	props["metadata"] = metadata
	return props
}
