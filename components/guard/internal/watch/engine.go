package watch

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// view is what the engine shows.
type view int

const (
	nothing    view = iota // before Begin
	suspects               // what [Engine.follow] does not pass
	everything             // all resources that follow
)

// Engine is for a program whose resources the engine shows to transforms before it registers them. A transform in Go
// cannot fail: so one makes sure that a wrong resource does not reach the cluster, and the program ends with an error
// when everything has been seen.
//
// It takes as long as registering a resource that the engine gives the resource back to the program. In a preview the
// guard asks for that only where it has to:
//
//   - [Engine.follow], a transformation in the process of the program, sees first what the program registers itself.
//     For typed arguments that are all known, and have nothing wrong, that is enough.
//   - A resource gets a transform of its own if it has transforms, which may change it, or if there is a finding. It
//     shares the transform with the resources below it.
//   - At the first sign that this is not enough, a transform of the stack sees all resources that follow. Signs are
//     an output among the inputs of an object, a component whose children another process registers, a transformation
//     that may run after the guard's, a parent that is not known, and a provider with methods. Whatever else the
//     program does, [Engine.hidden] must not report less than that.
//
// In an update, if pods are completed, and in a program that has registered something before, the engine shows
// everything from the start: what is created is what the guard has seen last. A program that calls a method of a plugin
// without one of its components or providers ([pulumi.Context.Call]; no SDK does) gives no sign: the update sees what
// that registers, and the preview does not.
type Engine struct {
	program
	view   view
	passed map[pulumi.Resource]passed // the registered ones that decide who shows their children
}

// passed is the state of a resource that the program itself registers.
type passed struct {
	typ      tokens.Type // with the types of the components above
	provider string      // the name of the Kubernetes provider of the resource and of those below
	shown    bool        // the engine shows it to its own transform, or to one of a resource above
}

// newEngine begins to follow what the program registers.
func newEngine(ctx *pulumi.Context) (*Engine, error) {
	e := &Engine{program: program{ctx: ctx}, passed: map[pulumi.Resource]passed{}}
	return e, ctx.RegisterStackTransformation(e.follow)
}

// Begin opens a recorder, and shows it the resources that are registered later.
func (e *Engine) Begin(r Recorder) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.view = suspects
	if err := e.begin(r); err != nil {
		return err
	}
	// In an update the engine has the last word about what is created. An earlier resource may have transforms or
	// register others, and an earlier transform changes what the program shows.
	if !e.ctx.DryRun() || r.Places() || e.early > 0 || calledBack(e.ctx) {
		return e.showAll()
	}
	return nil
}

// follow sees each resource that the program itself registers, before the engine does. It decides who shows the
// resource to the recorder: the program, whose arguments it has here; the engine, to a transform of this resource only;
// or the engine, to a transform for this and all later resources.
func (e *Engine) follow(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.registered = append(e.registered, registered{Resource: args.Resource})
	if e.view != suspects {
		return nil
	}
	opts, err := pulumi.NewResourceOptions(args.Opts...)
	properties, whole := propertiesOf(args)
	if err != nil || !whole || e.hidden(args, opts) {
		e.unseen = e.showAll()
		return nil
	}
	above := e.passed[opts.Parent]
	provider, _ := e.providerInside(opts, above.provider)
	own := passed{typ: tokens.Type(args.Type), provider: provider, shown: above.shown}
	if above.typ != "" {
		own.typ = above.typ + urn.TypeDelimiter + own.typ
	}
	// A resource with a transform shares it with those below, where it runs after theirs.
	show := !above.shown && (len(opts.Transforms) > 0 || !e.pass(args, properties, own))
	own.shown = own.shown || show
	e.passed[args.Resource] = own
	if !show {
		return nil
	}
	return &pulumi.ResourceTransformationResult{
		Props: args.Props,
		Opts:  append(slices.Clone(args.Opts), pulumi.Transforms([]pulumi.ResourceTransform{e.transform})),
	}
}

// hidden reports whether the resource, or a resource that follows from it, may change in a way that neither its
// arguments nor its own transform show.
func (e *Engine) hidden(args *pulumi.ResourceTransformationArgs, opts *pulumi.ResourceOptions) bool {
	for _, r := range []pulumi.Resource{args.Resource, opts.Parent} {
		if r != nil && reflect.TypeOf(r).Kind() != reflect.Pointer {
			return true
		}
	}
	_, known := e.passed[opts.Parent]
	_, named := e.providerInside(opts, "")
	_, custom := args.Resource.(pulumi.CustomResource)
	switch {
	case opts.Parent != nil && !known, !named:
		// It may have transforms, or it may be in any cluster.
		return true
	case len(opts.Transformations) > 0 || len(transformations(e.ctx)) != 1:
		// It may come after the guard's, or return options that replace those here.
		return true
	case opts.URN != "", !custom && !local(args.Resource):
		// Another process registers what is below it.
		return true
	default:
		// A provider may register resources in its methods; the Kubernetes provider has none.
		return strings.HasPrefix(args.Type, "pulumi:providers:") && args.Type != providerType
	}
}

// propertiesOf returns the properties of a Kubernetes object, or nil for other resources. They are not complete if
// there is an output among the inputs: to the transform of a single resource the engine shows a property that depends
// on another resource as one output, which is unknown while any part of it is.
func propertiesOf(args *pulumi.ResourceTransformationArgs) (properties map[string]any, whole bool) {
	_, custom := args.Resource.(pulumi.CustomResource)
	if !pods.IsResource(args.Type, custom) {
		return nil, true
	}
	t, whole := input.Whole(args.Props)
	properties, ok := t.(map[string]any)
	return properties, whole && ok
}

// pass shows the recorder the arguments of a resource. It returns false if the engine has to show the resource: if the
// arguments are not complete, or if there is a finding.
func (e *Engine) pass(args *pulumi.ResourceTransformationArgs, properties map[string]any, own passed) bool {
	_, custom := args.Resource.(pulumi.CustomResource)
	patch := pods.IsPatch(args.Type, custom)
	if properties == nil && !patch {
		return true
	}
	object := record.Object{
		URN: e.urn("", own.typ, args.Name), Name: args.Name, Custom: custom, Provider: own.provider,
	}
	if patch {
		e.recorder.Check(object, nil) // it is reported
		return true
	}
	return args.Type != helmchart.ReleaseType && areArgs(args.Props) && e.recorder.Pass(object, properties)
}

// areArgs reports whether these are typed arguments. Others may be the state of a resource that is read, which no
// transform sees.
func areArgs(props pulumi.Input) bool {
	t := reflect.TypeOf(props)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t != nil && t.Kind() == reflect.Struct && strings.HasSuffix(t.Name(), "Args")
}

// showAll makes the engine show all later resources, including those of other processes.
func (e *Engine) showAll() error {
	e.view = everything
	return e.ctx.RegisterResourceTransform(e.transform)
}

// ErrNotDeployed fails a resource whose findings are in the log.
var ErrNotDeployed = errors.New("mixedkube preflight: not deployed, see its errors")

// transform shows the recorder a resource that the engine shows, before it is registered. In a preview a wrong resource
// continues, unless the program can no longer fail; in an update it fails at once.
func (e *Engine) transform(ctx context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	verdict := e.show(ctx, args, args.Props, e.providerOf(ctx, args.Opts))
	result := &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
	if len(verdict.Edits) > 0 {
		result.Props = input.EditProperties(args.Props, verdict.Edits)
	}
	switch {
	case verdict.Stops:
		later := e.ctx.DryRun() && verdict.Failure == nil
		result.Props = refusal.Stop(e.ctx, result.Props, ErrNotDeployed, later)
	case len(verdict.Edits) > 0:
		result.Opts.IgnoreChanges = slices.Concat(args.Opts.IgnoreChanges, verdict.IgnoreChanges)
	default:
		return nil
	}
	return result
}
