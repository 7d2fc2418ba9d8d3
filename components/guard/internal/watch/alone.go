package watch

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Reasons why a resource is not checked when neither an engine nor the program shows it to the guard.
const (
	transformedReason = "it has resource transforms, or a resource above it has: without an engine " +
		"they are not called, and their changes are not known"
	parentReason = "a resource above it is not known to the guard, and may have resource transforms"
	laterReason  = "a transformation of the stack that was registered after the guard's may change it"
	remoteReason = "another process registers what is below it, and is not run without an engine"
)

var (
	errPartly = errors.New("without an engine that has resource transforms a part of the program is not seen: " +
		"see what is not checked")
	errOldEngine = errors.New("the Pulumi CLI does not support resource transforms: only what the program registers " +
		"in its own process is checked, and no resource is stopped: update the Pulumi CLI")
	errOldPlace = errors.New("guard: place: the Pulumi CLI does not support resource transforms: update the Pulumi CLI")
)

// Alone is for a program whose resources no engine shows: it runs under the mocks of the SDK, or on an old engine. The
// recorder sees what the program itself registers, and no resource is stopped.
type Alone struct {
	program
	position int // of the transformation among those of the stack, starting at 1
	followed map[pulumi.Resource]followed
	parents  map[pulumi.Resource]bool // resources with children
	failing  sync.Once
}

// followed is the state of a resource that the program registers.
type followed struct {
	provider  string // the name of the Kubernetes provider of the resource and of those below
	unchecked string // why it cannot be checked, "" if it can
}

// newAlone begins to follow what the program registers.
func newAlone(ctx *pulumi.Context) (*Alone, error) {
	a := &Alone{followed: map[pulumi.Resource]followed{}, parents: map[pulumi.Resource]bool{}}
	a.ctx, a.empty = ctx, a.rendersNothing
	err := ctx.RegisterStackTransformation(a.follow)
	a.position = len(transformations(ctx))
	return a, err
}

// Followed reports whether this is the way in which a program is followed already.
func Followed(ctx *pulumi.Context) bool {
	return slices.Contains(transformations(ctx), reflect.ValueOf((&Alone{}).follow).Pointer())
}

// Begin opens a recorder, and shows it the resources that are registered later. An engine that deploys the program has
// to be updated.
func (a *Alone) Begin(r Recorder) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.begin(r)
	switch {
	case err != nil || a.ctx.RunningWithMocks():
		return err
	case r.Places():
		return errOldPlace
	default:
		r.Problem(errOldEngine)
		return a.ctx.Log.Warn(errOldEngine.Error(), nil)
	}
}

// follow shows the recorder a resource that the program registers. It awaits the inputs in parallel to the
// registration, which it neither delays nor changes.
func (a *Alone) follow(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := registered{Resource: args.Resource}
	// The SDK refuses the resource if there is an error.
	if options, err := pulumi.NewResourceOptions(args.Opts...); err == nil {
		next.seen = a.look(args, *options)
	}
	a.registered = append(a.registered, next)
	return nil
}

// look begins to show a resource. It returns an output that is resolved when the recorder has seen it, nil if it does
// not look at the resource.
func (a *Alone) look(args *pulumi.ResourceTransformationArgs, opts pulumi.ResourceOptions) pulumi.Output {
	if opts.Parent != nil && opts.Parent.URN().OutputState == nil {
		opts.Parent = nil // it is not registered: the SDK leaves it out
	}
	own := followed{}
	if opts.Parent != nil {
		own = a.above(keyOf(opts.Parent))
	}
	if len(opts.Transforms) > 0 {
		own.unchecked = transformedReason
	}
	provider, known := a.providerInside(&opts, own.provider)
	own.provider = provider
	if key := keyOf(args.Resource); key != nil {
		a.followed[key] = own
	}
	if a.recorder == nil || opts.URN != "" || reading() {
		return nil // before Begin, or nothing is registered
	}
	if n := len(transformations(a.ctx)); own.unchecked == "" && (n == 0 || n != a.position) {
		own.unchecked = laterReason
	}
	seen, done, _ := a.ctx.NewOutput()
	a.hold(seen)
	_, custom := args.Resource.(pulumi.CustomResource)
	shown := &pulumi.ResourceTransformArgs{Custom: custom, Type: args.Type, Name: args.Name, Opts: opts}
	remote := !custom && !local(args.Resource)
	go func() {
		defer done(nil)
		if !known {
			own.provider = a.providerOf(a.ctx.Context(), opts)
		}
		a.showOrMiss(shown, args.Props, own, remote)
		a.expect(shown, args.Resource)
	}()
	return seen
}

// above returns the state of a parent.
func (a *Alone) above(parent pulumi.Resource) followed {
	if !a.parents[parent] {
		a.parents[parent] = true
		if a.recorder != nil {
			a.recorder.Arrived(parent)
		}
	}
	above, known := a.followed[parent]
	if !known {
		above.unchecked = parentReason
	}
	return above
}

// hold keeps the program from ending before the output is known. The end of a program waits for outputs first and for
// calls last, and a call may still register resources; so the guard keeps a call of its own open. The SDK's mocks
// ignore it, and an engine would not.
func (a *Alone) hold(seen pulumi.Output) {
	if a.ctx.RunningWithMocks() {
		_ = a.ctx.RegisterResourceOutputs(
			&record.Located{At: urn.URN("preflight::" + strconv.Itoa(len(a.registered)))}, pulumi.Map{"looked": seen})
	}
}

func (a *Alone) showOrMiss(args *pulumi.ResourceTransformArgs, props pulumi.Input, own followed, remote bool) {
	ctx := a.ctx.Context()
	miss := func(reason string) {
		a.recorder.Missed(record.Unseen{At: a.locate(ctx, args), Reason: reason, Problem: errPartly})
	}
	if remote {
		miss(remoteReason)
	}
	if own.unchecked != "" && (pods.IsResource(args.Type, args.Custom) || helmchart.IsChart(args.Type)) {
		miss(own.unchecked)
		return
	}
	if verdict := a.show(ctx, args, props, own.provider); verdict.Failure != nil {
		a.failing.Do(func() { a.fail(args, verdict.Failure) })
	}
}

// fail makes the program fail when an error can no longer be returned to it, in the same way as a component whose
// registration fails: through its outputs. No resource is stopped, so the rest of a test continues. Pulumi keeps the
// first such error.
func (a *Alone) fail(args *pulumi.ResourceTransformArgs, err error) {
	rejected, _, reject := a.ctx.NewOutput()
	reject(err)
	at := &record.Located{At: a.locate(a.ctx.Context(), args)}
	_ = a.ctx.RegisterResourceOutputs(at, pulumi.Map{"preflight": rejected})
}

// renderers are the components of pulumi-kubernetes' SDK that register the objects that a call to the provider returns,
// each with the token of that call.
var renderers = map[string]string{
	"kubernetes:yaml:ConfigGroup":    "kubernetes:yaml:decode",
	"kubernetes:yaml:ConfigFile":     "kubernetes:yaml:decode",
	"kubernetes:helm.sh/v3:Chart":    "kubernetes:helm:template",
	"kubernetes:kustomize:Directory": "kubernetes:kustomize:directory",
}

// expect waits for the objects of a component that a mock may have answered without objects. An engine calls the
// provider. A chart may still be rendering when the program ends.
func (a *Alone) expect(args *pulumi.ResourceTransformArgs, r pulumi.Resource) {
	token := renderers[args.Type]
	if token == "" || !a.ctx.RunningWithMocks() {
		return
	}
	at := a.locate(a.ctx.Context(), args)
	a.mu.Lock()
	defer a.mu.Unlock()
	if key := keyOf(r); !a.parents[key] {
		a.recorder.Missed(record.Unseen{
			At: at, Problem: errPartly, Until: key,
			Reason: "nothing is registered below it: the mock of " + token + " must give the objects as \"result\"",
		})
	}
}

// rendersNothing reports whether a mock returned no objects for a component.
func (a *Alone) rendersNothing(r pulumi.Resource) bool {
	return renderers[r.PulumiResourceType()] != "" && a.ctx.RunningWithMocks() && !a.parents[keyOf(r)]
}
