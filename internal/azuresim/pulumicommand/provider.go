package pulumicommand

import (
	"context"
	"fmt"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Version is the release of pulumi-command that is simulated.
const Version = "1.1.0"

// Token is the token of the only type.
const Token = "command:local:Command"

// New returns the provider.
func New() p.Provider {
	life, end := context.WithCancel(context.Background())
	r := &runner{life: life}
	return p.Provider{
		GetSchema: func(context.Context, p.GetSchemaRequest) (p.GetSchemaResponse, error) {
			return p.GetSchemaResponse{Schema: `{"name":"command","version":"` + Version + `"}`}, nil
		},
		Cancel: func(context.Context) error {
			end()
			return nil
		},
		CheckConfig: func(_ context.Context, r p.CheckRequest) (p.CheckResponse, error) {
			return p.CheckResponse{Inputs: r.Inputs}, nil
		},
		DiffConfig: func(context.Context, p.DiffRequest) (p.DiffResponse, error) { return p.DiffResponse{}, nil },
		Check:      check,
		Diff:       diff,
		Create:     r.create,
		Read: func(_ context.Context, r p.ReadRequest) (p.ReadResponse, error) {
			return p.ReadResponse{ID: r.ID, Properties: r.Properties, Inputs: r.Inputs}, nil
		},
		Update: r.update,
		Delete: r.delete,
	}
}

func known(u urn.URN) error {
	if u.Type() != Token {
		return fmt.Errorf("%s: the simulated pulumi-command has only %s", u.Type(), Token)
	}
	return nil
}

func (r *runner) create(ctx context.Context, request p.CreateRequest) (p.CreateResponse, error) {
	id, err := resource.NewUniqueHex(request.Urn.Name(), 8, 0)
	if err != nil {
		return p.CreateResponse{}, err
	}
	if request.DryRun {
		return p.CreateResponse{ID: id, Properties: preview(request.Properties)}, nil
	}
	output, err := r.run(ctx, text(request.Properties, "create"), request.Properties, result{})
	if err != nil {
		return p.CreateResponse{}, err
	}
	return p.CreateResponse{ID: id, Properties: output.in(request.Properties)}, nil
}

func (r *runner) update(ctx context.Context, request p.UpdateRequest) (p.UpdateResponse, error) {
	if request.DryRun {
		return p.UpdateResponse{Properties: preview(request.Inputs)}, nil
	}
	command := text(request.Inputs, "update")
	if command == nil {
		command = text(request.Inputs, "create")
	}
	output, err := r.run(ctx, command, request.Inputs, resultOf(request.State))
	if err != nil {
		return p.UpdateResponse{}, err
	}
	return p.UpdateResponse{Properties: output.in(request.Inputs)}, nil
}

func (r *runner) delete(ctx context.Context, request p.DeleteRequest) error {
	_, err := r.run(ctx, text(request.Properties, "delete"), request.Properties, resultOf(request.Properties))
	return err
}

// preview runs nothing: the output of the command is unknown.
func preview(inputs property.Map) property.Map {
	unknown := property.New(property.Computed)
	return inputs.Set("stdout", unknown).Set("stderr", unknown)
}

// text returns an input, nil if it is not set.
func text(m property.Map, name string) *string {
	v, ok := m.GetOk(name)
	if !ok || !v.IsString() {
		return nil
	}
	s := v.AsString()
	return &s
}
