package refusal

import (
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Stop returns the properties of a Kubernetes object that prevent its registration: it fails with the error. If later
// is true, the error is reported later, and the object continues with unknown annotations: then Pulumi's Kubernetes
// provider does not call the API server, which would end the preview with the first object that it refuses, and the
// preview also shows the resources that depend on the object.
func Stop(ctx *pulumi.Context, props pulumi.Map, why error, later bool) pulumi.Map {
	props = maps.Clone(props)
	if !later {
		output, _, reject := ctx.NewOutput()
		reject(why)
		props["metadata"] = output
		return props
	}
	metadata := pulumi.Map{}
	if existing, ok := props["metadata"].(pulumi.Map); ok {
		metadata = maps.Clone(existing)
	}
	metadata["annotations"] = pulumi.UnsafeUnknownOutput(nil)
	props["metadata"] = metadata
	return props
}
