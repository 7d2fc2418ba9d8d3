package mocktest

import (
	"maps"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// answer returns the engine's answer to the registration of a resource: its ID and its state.
func (r *recorder) answer(res Resource, v verdict) (string, resource.PropertyMap, error) {
	if !res.Custom && !res.Remote {
		return "", resource.PropertyMap{}, nil
	}
	if v.is(OpSame) && res.Custom && !res.Read {
		return v.old.ID, secretState(v.left.state, res), nil
	}
	id := res.ID
	switch {
	case v.is(OpUpdate, OpNotKnown):
		id = v.old.ID
	case res.ImportID != "":
		id = res.ImportID
	case res.Custom && !res.Read && !r.preview:
		id = newID(res.Name, v.old.ID)
	}
	state, callOutputs := r.known(res, v), res.Read || !r.preview
	if res.Type == stashType {
		// The engine itself is the provider: the first input stays the output.
		output, isSet := v.left.state["output"]
		if callOutputs = !isSet || v.is(OpReplace); callOutputs {
			output = v.inputs["input"]
		}
		state = merged(state, resource.PropertyMap{"output": output})
	}
	if r.outputs != nil && callOutputs {
		res.ID = id
		additions, err := r.ask("Outputs", res.String(), func() (resource.PropertyMap, error) {
			return r.outputs(res), nil
		})
		if err != nil {
			return "", nil, err
		}
		state = merged(state, additions)
		if value, ok := state["id"]; ok && value.IsString() && !res.Read && res.Custom && !v.is(OpUpdate, OpNotKnown) {
			id = value.StringValue()
		}
	}
	return id, secretState(state, res), nil
}

// newID returns an ID that differs from the earlier one.
func newID(name, was string) string {
	id := name + "-id"
	if id == was {
		id += "-2"
	}
	return id
}

// known returns the outputs that are known without a provider: the inputs, without those that a preview of the provider
// does not know, and, for a resource that changes in place in a preview, the fields that its provider adds.
func (r *recorder) known(res Resource, v verdict) resource.PropertyMap {
	if !r.preview {
		return v.inputs
	}
	inputs := maps.Clone(v.inputs)
	for _, name := range azuretypes.Completed(res.Type) {
		delete(inputs, resource.PropertyKey(name))
	}
	switch {
	case !v.is(OpUpdate):
		return inputs
	case strings.HasPrefix(res.Type, "kubernetes:") && len(Unknowns(v.inputs)) == 0:
		// A dry run of the API server lets a preview return the whole object, unless an input is unknown: Update in
		// https://github.com/pulumi/pulumi-kubernetes/blob/master/provider/pkg/provider/provider.go.
		return merged(without(v.left.state, v.Differences), v.inputs)
	case strings.HasPrefix(res.Type, "azure-native:"):
		// "The preview outputs are inputs + a limited list of outputs that are universally immutable": Update in
		// https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/provider/provider.go.
		stable := resource.PropertyMap{}
		for _, name := range []resource.PropertyKey{"name", "location"} {
			if value, ok := v.left.state[name]; ok {
				stable[name] = value
			}
		}
		return merged(inputs, stable)
	default:
		return inputs
	}
}

// without returns a state without the removed inputs.
func without(state resource.PropertyMap, differences []Difference) resource.PropertyMap {
	state = resource.ToResourcePropertyMap(resource.FromResourcePropertyMap(state)) // a deep copy
	for _, d := range differences {
		if path, err := resource.ParsePropertyPath(d.Path); err == nil && d.After == nil {
			path.Delete(resource.NewProperty(state))
		}
	}
	return state
}

// stashType is the type of [pulumi.Stash].
const stashType = "pulumi:index:Stash"

func secretState(state resource.PropertyMap, res Resource) resource.PropertyMap {
	return res.hidden(withoutUnknowns(state))
}

// withoutUnknowns leaves out each property that is not fully known, as the engine does for the Go SDK: in a preview,
// the SDK treats properties that are missing in the answer as unknown.
func withoutUnknowns(state resource.PropertyMap) resource.PropertyMap {
	known := resource.PropertyMap{}
	for key, value := range state {
		if !value.ContainsUnknowns() {
			known[key] = value
		}
	}
	return known
}
