package azurenative

import (
	"context"
	"fmt"
	"maps"
	"slices"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func (s *server) update(ctx context.Context, r p.UpdateRequest) (p.UpdateResponse, error) {
	t, err := lookUp(string(r.Urn.Type()))
	if err != nil {
		return p.UpdateResponse{}, err
	}
	if r.DryRun {
		outputs := t.preview(r.Inputs)
		for _, name := range []string{"location", "name"} {
			if had, ok := r.State.GetOk(name); ok {
				outputs = outputs.Set(name, had)
			}
		}
		return p.UpdateResponse{Properties: outputs}, nil
	}
	inputs := plainMap(r.Inputs)
	id, err := t.id(inputs)
	if err != nil {
		return p.UpdateResponse{}, err
	}
	client, err := s.open()
	if err != nil {
		return p.UpdateResponse{}, err
	}
	ctx, cancel := s.request(ctx)
	defer cancel()
	body := t.body(inputs)
	if err := t.maintain(ctx, client, id, body, inputs); err != nil {
		return p.UpdateResponse{}, err
	}
	answer, err := client.Put(ctx, id, body)
	if err != nil {
		return s.failedUpdate(ctx, t, client, id, r.Inputs, err)
	}
	return p.UpdateResponse{Properties: t.state(s.readAfter(ctx, client, id, answer), r.Inputs)}, nil
}

// maintain keeps the lists of possible resources of their own that are not among the inputs.
func (t *resourceType) maintain(
	ctx context.Context, client *armclient.Client, id string, body arm.Body, inputs map[string]any,
) error {
	missing := slices.DeleteFunc(slices.Clone(t.maintained), func(name string) bool {
		_, ok := inputs[name]
		return ok
	})
	if len(missing) == 0 {
		return nil
	}
	existing, err := client.Get(ctx, id)
	if err != nil {
		return fmt.Errorf("failed maintaining unset sub-resource properties: reading cloud state: %w", failure(id, err))
	}
	had, _ := existing["properties"].(map[string]any)
	below, _ := body["properties"].(map[string]any)
	below = maps.Clone(below)
	if below == nil {
		below = map[string]any{}
	}
	for _, name := range missing {
		if value, ok := had[name]; ok {
			below[name] = value
		}
	}
	if len(below) > 0 {
		body["properties"] = below
	}
	return nil
}

// failedUpdate returns a plain error if Azure refused the change, and the new state of the resource with the error if
// the change began and failed.
func (s *server) failedUpdate(
	ctx context.Context, t *resourceType, client *armclient.Client, id string, inputs property.Map, cause error,
) (p.UpdateResponse, error) {
	if armclient.IsRefused(cause) {
		return p.UpdateResponse{}, failure(id, cause)
	}
	cause = failure(id, cause)
	existing, err := client.Get(context.WithoutCancel(ctx), id)
	if err != nil {
		return p.UpdateResponse{}, cause
	}
	below, _ := existing["properties"].(map[string]any)
	if below["provisioningState"] != "Failed" {
		return p.UpdateResponse{}, cause
	}
	return p.UpdateResponse{
		Properties: t.state(existing, inputs), PartialState: &p.InitializationFailed{Reasons: []string{cause.Error()}},
	}, cause
}
