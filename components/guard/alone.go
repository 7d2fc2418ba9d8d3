package guard

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/report"
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
	errUnwrapped = errors.New("the program is not wrapped in guard.Program: the children of components that were " +
		"registered before guard.Enforce are not seen, and each resource is looked at with those before it only")
	errOldEngine = errors.New("the Pulumi CLI does not support resource transforms: only what the program registers " +
		"in its own process is checked, and no resource is stopped: update the Pulumi CLI")
	errOldPlace = errors.New("guard: place: the Pulumi CLI does not support resource transforms: update the Pulumi CLI")
)

// alone reports whether neither an engine nor the SDK's mocks show resources to the guard: the mocks panic on resource
// transforms, and an old engine does not support them.
func alone(ctx *pulumi.Context) bool { return ctx.RunningWithMocks() || !hasTransforms(ctx) }

// stayAlone reports the consequences when an engine deploys the program.
func (g *guard) stayAlone() error {
	switch {
	case g.ctx.RunningWithMocks():
		return nil
	case g.args.Place:
		return errOldPlace
	default:
		g.report.Problems = append(g.report.Problems, errOldEngine)
		return g.ctx.Log.Warn(errOldEngine.Error(), nil)
	}
}

// followAlone checks a resource that the program registers if the engine does not show it. It awaits the inputs in
// parallel to the registration, which it neither delays nor changes.
func (g *guard) followAlone(args *pulumi.ResourceTransformationArgs) {
	options, err := pulumi.NewResourceOptions(args.Opts...)
	if err != nil {
		return // the SDK refuses the resource
	}
	opts := *options
	if opts.Parent != nil && opts.Parent.URN().OutputState == nil {
		opts.Parent = nil // it is not registered: the SDK leaves it out
	}
	own := followed{}
	if opts.Parent != nil {
		g.parents[keyOf(opts.Parent)] = true
		var known bool
		if own, known = g.followed[keyOf(opts.Parent)]; !known {
			own.unchecked = parentReason
		}
	}
	if len(opts.Transforms) > 0 {
		own.unchecked = transformedReason
	}
	provider, known := g.providerInside(&opts, own)
	own.provider = provider
	if key := keyOf(args.Resource); key != nil {
		g.followed[key] = own
	}
	if g.clusters == nil || opts.URN != "" || reading() {
		return // before Enforce, or nothing is registered
	}
	if n := transformations(g.ctx); own.unchecked == "" && (n < 0 || n != g.position) {
		own.unchecked = laterReason
	}
	looked, done, _ := g.ctx.NewOutput()
	g.looks = append(g.looks, looked)
	g.hold(looked)
	_, custom := args.Resource.(pulumi.CustomResource)
	shown := &pulumi.ResourceTransformArgs{Custom: custom, Type: args.Type, Name: args.Name, Opts: opts}
	remote := !custom && !local(args.Resource)
	go func() {
		defer done(nil)
		if !known {
			own.provider = g.providerOf(g.ctx.Context(), opts)
		}
		g.lookAlone(shown, args.Props, own, remote)
		g.remember(shown, args.Resource)
	}()
}

// hold keeps the program from ending before the output is known. The end of a program waits for outputs first and for
// calls last, and a call may still register resources; so the guard keeps a call of its own open. The SDK's mocks
// ignore it, and an engine would not.
func (g *guard) hold(looked pulumi.Output) {
	if g.ctx.RunningWithMocks() {
		_ = g.ctx.RegisterResourceOutputs(&located{at: urn.URN("preflight::" + strconv.Itoa(len(g.looks)))},
			pulumi.Map{"looked": looked})
	}
}

// keyOf returns the key of a resource in maps: its pointer, or nil for other values, which need not be comparable.
func keyOf(r pulumi.Resource) pulumi.Resource {
	if reflect.TypeOf(r).Kind() != reflect.Pointer {
		return nil
	}
	return r
}

func (g *guard) lookAlone(args *pulumi.ResourceTransformArgs, props pulumi.Input, own followed, remote bool) {
	ctx := g.ctx.Context()
	if remote {
		g.notSeen(g.locate(ctx, args), remoteReason)
	}
	if own.unchecked != "" && (pods.IsResource(args.Type, args.Custom) || helmchart.IsChart(args.Type)) {
		g.notSeen(g.locate(ctx, args), own.unchecked)
		return
	}
	g.show(ctx, args, props, own.provider)
}

// notSeen reports a resource that cannot be checked without an engine.
func (g *guard) notSeen(at urn.URN, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.partly {
		g.partly = true
		g.report.Problems = append(g.report.Problems, errPartly)
	}
	g.notChecked(at, reason)
	if g.complete && !g.unwrapped {
		_ = g.publish()
	}
}

// renderers are the components of pulumi-kubernetes' SDK that register the objects that a call to the provider returns,
// each with the token of that call.
var renderers = map[string]string{
	"kubernetes:yaml:ConfigGroup":    "kubernetes:yaml:decode",
	"kubernetes:yaml:ConfigFile":     "kubernetes:yaml:decode",
	"kubernetes:helm.sh/v3:Chart":    "kubernetes:helm:template",
	"kubernetes:kustomize:Directory": "kubernetes:kustomize:directory",
}

type rendered struct {
	resource pulumi.Resource
	at       urn.URN
	token    string
}

// remember records a component that a mock may have answered without objects. An engine calls the provider.
func (g *guard) remember(args *pulumi.ResourceTransformArgs, r pulumi.Resource) {
	token := renderers[args.Type]
	if token == "" || !g.ctx.RunningWithMocks() || g.unwrapped {
		return
	}
	at := g.locate(g.ctx.Context(), args)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rendered = append(g.rendered, rendered{keyOf(r), at, token})
}

// rendersNothing reports whether a mock returned no objects for the resource.
func (g *guard) rendersNothing(r pulumi.Resource) bool {
	return renderers[r.PulumiResourceType()] != "" && g.ctx.RunningWithMocks() && !g.parents[keyOf(r)]
}

// notRendered returns the components below which nothing is registered. A chart may still be rendering when the program
// ends, so each report calls this again.
func (g *guard) notRendered() []report.NotChecked {
	var missing []report.NotChecked
	for _, r := range g.rendered {
		if !g.parents[r.resource] {
			missing = append(missing, report.NotChecked{
				Resource: string(r.at),
				Reason: "nothing is registered below it: the mock of " + r.token +
					" must give the objects as \"result\"",
			})
		}
	}
	return missing
}

// fail makes the program fail when an error can no longer be returned to it, in the same way as a component whose
// registration fails: through its outputs. No resource is stopped, so the rest of a test continues. Pulumi keeps the
// first such error.
func (g *guard) fail(r *resource) {
	if g.failed {
		return
	}
	g.failed = true
	if g.unwrapped {
		g.logLandings(g.seen)
		_ = g.publish() // the error has the report
	}
	rejected, _, reject := g.ctx.NewOutput()
	reject(g.stopping())
	_ = g.ctx.RegisterResourceOutputs(&r.located, pulumi.Map{"preflight": rejected})
}
