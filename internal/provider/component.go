package provider

import (
	"context"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Component is a component that the plugin serves.
type Component struct {
	// Args and Result are the types of its arguments and of what its constructor returns.
	Args, Result reflect.Type
	// outputs are outputs that the tags of Result do not have.
	outputs   []output
	construct constructor
}

// constructor makes the component of arguments, a pointer to the type Args.
type constructor func(
	ctx *pulumi.Context, name string, args any, opts pulumi.ResourceOption,
) (pulumi.ComponentResource, error)

// component is the table's row of a constructor.
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

// Token is the component's type in all languages: that of the package and of the Go type.
func (c Component) Token() string { return token(c.Result) }

// token leaves out the Args of a type: the SDKs add it.
func token(t reflect.Type) string {
	return "mixedkube:" + module(t) + ":" + strings.TrimSuffix(t.Name(), "Args")
}

// components is where the public packages are.
const components = "github.com/mixedkube/mixedkube/components"

// module is the public package of a type: what a package below it declares is its own.
func module(t reflect.Type) string {
	if own, ok := ofFunctions[t]; ok {
		return own
	}
	folder := t.PkgPath()
	for path.Dir(folder) != components {
		folder = path.Dir(folder)
		if folder == "." {
			panic(fmt.Sprintf("provider: %s is of no public package", t))
		}
	}
	return path.Base(folder)
}

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
	read := read(c.Args, inputs)
	read.waitFor(inputs, req)
	// What was read here does not go through the SDK. What it depends on, the component does: its children
	// are made after it.
	req.Dependencies = union(req.GetDependencies(), read.after)
	if req.Inputs, err = plugin.MarshalProperties(read.inputs, marshaling); err != nil {
		return nil, fmt.Errorf("%s: passing the inputs on: %w", subject(req), err)
	}
	req.InputDependencies = nil
	made, err := provider.Construct(ctx, req, engine, func(
		ctx *pulumi.Context, _, name string, inputs provider.ConstructInputs, all pulumi.ResourceOption,
	) (*provider.ConstructResult, error) {
		opts, err := options(req, all)
		if err != nil {
			return nil, err
		}
		args := reflect.New(c.Args)
		if err := fielderrors.Join(subject(req), read.decode(args.Interface(), inputs)); err != nil {
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

// union is a list with what it lacks of a set.
func union(list []string, set map[string]bool) []string {
	all := maps.Clone(set)
	for _, one := range list {
		all[one] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// subject is what errors are about, as the components say it.
func subject(req *pulumirpc.ConstructRequest) string {
	return fmt.Sprintf("%s %q", req.GetType(), req.GetName())
}

// bare is a component about which nothing is known yet.
type bare struct{ pulumi.ResourceState }

// withUnknown is a component in a preview that does not know yet what another component gives: what
// may be left out counts as left out, else nothing of the component can be shown.
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
				"shows what the component makes; the update does", at), &pulumi.LogArgs{Resource: made})
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

// needs reports whether the value of a path may not be left out.
func (c Component) needs(at *field.Path) bool {
	f, found := fields(c.Args)[at.String()]
	return found && !optional(f)
}
