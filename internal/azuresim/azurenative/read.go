package azurenative

import (
	"context"
	"maps"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// read reads the current state of a resource. It changes only inputs whose outputs have changed: most outputs are
// defaults, which the program does not set.
func (s *server) read(ctx context.Context, r p.ReadRequest) (p.ReadResponse, error) {
	t, err := lookUp(string(r.Urn.Type()))
	if err != nil {
		return p.ReadResponse{}, err
	}
	client, err := s.open()
	if err != nil {
		return p.ReadResponse{}, err
	}
	ctx, cancel := s.request(ctx)
	defer cancel()
	body, err := client.Get(ctx, r.ID)
	if armclient.IsNotFound(err) {
		return p.ReadResponse{}, nil
	}
	if err != nil {
		return p.ReadResponse{}, failure(r.ID, err)
	}
	outputs := t.outputs(body)
	if r.Inputs.Len() == 0 {
		imported, err := t.parse(r.ID)
		if err != nil {
			return p.ReadResponse{}, err
		}
		inputs := t.inputsOfBody(body)
		maps.Copy(inputs, imported)
		return p.ReadResponse{ID: r.ID, Inputs: valueMap(inputs), Properties: valueMap(outputs)}, nil
	}
	t.resetUnset(outputs, r.Inputs)
	was := valueMap(t.inputsOf(plainMap(r.Properties)))
	is := valueMap(t.inputsOf(outputs))
	inputs := apply(r.Inputs, was.Diff(is))
	return p.ReadResponse{ID: r.ID, Inputs: inputs, Properties: hide(valueMap(outputs), inputs)}, nil
}

// resetUnset empties the lists of possible resources of their own, unless they are inputs. The state has empty lists as
// well.
func (t *resourceType) resetUnset(outputs map[string]any, inputs property.Map) {
	for _, name := range t.maintained {
		if _, ok := inputs.GetOk(name); !ok {
			outputs[name] = []any{}
		}
	}
}

// apply applies the changes of the outputs to the inputs.
func apply(inputs property.Map, changes *property.ObjectDiff) property.Map {
	if changes == nil {
		return inputs
	}
	for key := range changes.Deletes {
		inputs = inputs.Delete(key)
	}
	for key, v := range changes.Adds {
		inputs = inputs.Set(key, v)
	}
	for key, change := range changes.Updates {
		if in, ok := inputs.GetOk(key); ok {
			inputs = inputs.Set(key, applyValue(in, change.Old, change.New))
		} else {
			inputs = inputs.Set(key, change.New)
		}
	}
	return inputs
}

func applyValue(in, was, is property.Value) property.Value {
	switch {
	case in.IsMap() && was.IsMap() && is.IsMap():
		return property.New(apply(in.AsMap(), was.AsMap().Diff(is.AsMap()))).WithSecret(in.Secret())
	case in.IsArray() && was.IsArray() && is.IsArray():
		ins, had, list := in.AsArray().AsSlice(), was.AsArray().AsSlice(), is.AsArray().AsSlice()
		for i := range list {
			if i < len(ins) && i < len(had) {
				list[i] = applyValue(ins[i], had[i], list[i])
			}
		}
		return property.New(list).WithSecret(in.Secret())
	default:
		return is.WithSecret(in.Secret())
	}
}
