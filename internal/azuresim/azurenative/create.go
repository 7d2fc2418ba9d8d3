package azurenative

import (
	"context"
	"errors"
	"fmt"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func (s *server) create(ctx context.Context, r p.CreateRequest) (p.CreateResponse, error) {
	t, err := lookUp(string(r.Urn.Type()))
	if err != nil {
		return p.CreateResponse{}, err
	}
	if r.DryRun {
		return p.CreateResponse{Properties: t.preview(r.Properties)}, nil
	}
	inputs := plainMap(r.Properties)
	id, err := t.id(inputs)
	if err != nil {
		return p.CreateResponse{}, err
	}
	client, err := s.open()
	if err != nil {
		return p.CreateResponse{}, err
	}
	ctx, cancel := s.request(ctx)
	defer cancel()
	if err := canCreate(ctx, client, id); err != nil {
		return p.CreateResponse{}, err
	}
	body := t.body(inputs)
	for _, name := range t.maintained {
		if _, ok := inputs[name]; !ok {
			below, _ := body["properties"].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			below[name] = []any{}
			body["properties"] = below
		}
	}
	answer, err := client.Put(ctx, id, body)
	if err != nil {
		return s.failedCreate(ctx, t, client, id, r.Properties, err)
	}
	if returned, ok := answer["id"].(string); ok {
		id = returned
	}
	return p.CreateResponse{ID: id, Properties: t.state(s.readAfter(ctx, client, id, answer), r.Properties)}, nil
}

// canCreate refuses an existing resource: a PUT would change it.
func canCreate(ctx context.Context, client *armclient.Client, id string) error {
	existing, err := client.Get(ctx, id)
	switch {
	case armclient.IsNotFound(err):
		return nil
	case err != nil:
		if e, ok := errors.AsType[*arm.Error](err); ok {
			return fmt.Errorf("cannot check existence of resource '%s': status code %d, %s", id, e.Status, e.Body(id))
		}
		return err
	case len(existing) > 0:
		return fmt.Errorf("cannot create already existing resource '%s'", id)
	}
	return nil
}

// failedCreate returns the resource of a creation that began and failed, so that the engine adds it to the state, and
// the next `pulumi up` updates it. As in azure-native, a resource whose PUT was answered with an error is lost: if it
// exists anyway, the next creation refuses it.
func (s *server) failedCreate(
	ctx context.Context, t *resourceType, client *armclient.Client, id string, inputs property.Map, cause error,
) (p.CreateResponse, error) {
	if armclient.IsRefused(cause) {
		return p.CreateResponse{}, failure(id, cause)
	}
	cause = failure(id, cause)
	// The engine may have canceled the request, but the resource still has to be found.
	existing, err := client.Get(context.WithoutCancel(ctx), id)
	switch {
	case armclient.IsNotFound(err):
		return p.CreateResponse{}, cause
	case err != nil:
		err = failure(id, err)
		return p.CreateResponse{}, fmt.Errorf("resource partially created but read failed %w: %w", err, cause)
	}
	return p.CreateResponse{
		ID: id, Properties: t.state(existing, inputs),
		PartialState: &p.InitializationFailed{Reasons: []string{cause.Error()}},
	}, cause
}

// readAfter returns the resource as a refresh reads it. It ignores errors, as azure-native does.
func (s *server) readAfter(ctx context.Context, client *armclient.Client, id string, answer arm.Body) arm.Body {
	if existing, err := client.Get(ctx, id); err == nil {
		return existing
	}
	return answer
}

// state returns the part of a resource that the engine stores.
func (t *resourceType) state(body arm.Body, inputs property.Map) property.Map {
	return hide(valueMap(t.outputs(body)), inputs)
}
