package provider

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Component is a component that the plugin serves.
type Component struct {
	// Args and Result are the types of its arguments and of what its constructor returns.
	Args, Result reflect.Type
	// outputs are the outputs that are not fields of Result with a tag.
	outputs   []output
	construct constructor
}

// constructor creates a component from arguments, a pointer to the type Args.
type constructor func(
	ctx *pulumi.Context, name string, args any, opts pulumi.ResourceOption,
) (pulumi.ComponentResource, error)

// component returns the row of [Components] for a constructor.
func component[Args, Result any, Pointer interface {
	*Result
	pulumi.ComponentResource
}](
	construct func(*pulumi.Context, string, *Args, ...pulumi.ResourceOption) (Pointer, error), outputs ...output,
) Component {
	return Component{
		Args: reflect.TypeFor[Args](), Result: reflect.TypeFor[Result](), outputs: outputs,
		construct: func(
			ctx *pulumi.Context, name string, args any, opts pulumi.ResourceOption,
		) (pulumi.ComponentResource, error) {
			made, err := construct(ctx, name, args.(*Args), opts)
			if err != nil {
				// A nil pointer in the interface would not be nil.
				return nil, err
			}
			return made, nil
		},
	}
}

// Token returns the component's type in all languages.
func (c Component) Token() string { return token(c.Result) }

// run answers a request of the engine.
func (c Component) run(
	ctx context.Context, req *pulumirpc.ConstructRequest, engine *grpc.ClientConn,
) (*pulumirpc.ConstructResponse, error) {
	marshaling := plugin.MarshalOptions{
		KeepUnknowns: req.GetDryRun(), KeepSecrets: true, KeepResources: true, KeepOutputValues: true,
	}
	inputs, err := plugin.UnmarshalProperties(req.GetInputs(), marshaling)
	if err != nil {
		return nil, fmt.Errorf("%s: reading the inputs: %w", subject(req), err)
	}
	inputs, wrong, others := withTopologyFile(c.Args, inputs)
	read := read(c.Args, inputs)
	read.waitFor(inputs, req)
	// The SDK does not see the values that were read here. The component depends on the resources that these values
	// depend on: its children are created after them.
	req.Dependencies = union(req.GetDependencies(), read.after)
	if req.Inputs, err = plugin.MarshalProperties(read.inputs, marshaling); err != nil {
		return nil, fmt.Errorf("%s: passing the inputs: %w", subject(req), err)
	}
	req.InputDependencies = nil
	made, err := provider.Construct(ctx, req, engine, func(
		ctx *pulumi.Context, _, name string, inputs provider.ConstructInputs, all pulumi.ResourceOption,
	) (*provider.ConstructResult, error) {
		opts, err := c.options(req, all)
		if err != nil {
			return nil, err
		}
		args := reflect.New(c.Args)
		wrong = append(wrong, read.decode(args.Interface(), inputs)...)
		if err := fielderrors.Join(subject(req), wrong, others...); err != nil {
			return nil, err
		}
		if len(read.unknown) > 0 {
			return c.withUnknown(ctx, name, args.Interface(), opts, read.unknown)
		}
		made, err := c.construct(ctx, name, args.Interface(), opts)
		if err != nil {
			return nil, err
		}
		return c.result(made), nil
	})
	if err != nil {
		return nil, show(ctx, req, engine, err)
	}
	return made, nil
}

// union returns a list with the elements of a set added, sorted.
func union(list []string, set map[string]bool) []string {
	all := maps.Clone(set)
	for _, one := range list {
		all[one] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// subject names a component at the beginning of errors, as the components' own errors do.
func subject(req *pulumirpc.ConstructRequest) string {
	return fmt.Sprintf("%s %q", req.GetType(), req.GetName())
}

// bare is a component whose children are not known yet.
type bare struct{ pulumi.ResourceState }

// withUnknown creates a component in a preview in which outputs of other components are unknown. Unknown optional
// arguments are treated as not set. If a required argument is unknown, the preview shows only the component.
func (c Component) withUnknown(
	ctx *pulumi.Context, name string, args any, opts pulumi.ResourceOption, unknown []*field.Path,
) (*provider.ConstructResult, error) {
	for _, at := range unknown {
		if c.needs(at) {
			made := &bare{}
			if err := ctx.RegisterComponentResource(c.Token(), name, made, opts); err != nil {
				return nil, err
			}
			err := ctx.Log.Warn(fmt.Sprintf("%s is not known yet: this preview neither checks the arguments nor "+
				"shows what the component creates; the update does", at), &pulumi.LogArgs{Resource: made})
			return &provider.ConstructResult{URN: made.URN(), State: pulumi.Map{}}, err
		}
	}
	made, err := c.construct(ctx, name, args, opts)
	if err != nil {
		return nil, err
	}
	for _, at := range unknown {
		if err := ctx.Log.Warn(fmt.Sprintf("%s is not known yet: this preview checks and shows the component as "+
			"if it were left out; the update checks it", at), &pulumi.LogArgs{Resource: made}); err != nil {
			return nil, err
		}
	}
	return c.result(made), nil
}

// needs reports whether the argument at a path is required.
func (c Component) needs(at *field.Path) bool {
	f, found := fields(c.Args)[at.String()]
	return found && !optional(f)
}
