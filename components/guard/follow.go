package guard

import (
	"reflect"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// followed is the state of a resource that the program itself registers.
type followed struct {
	typ      tokens.Type // with the types of the components above
	provider string      // the name of the Kubernetes provider of the resource and of those below
	shown    bool        // the engine shows it to its own transform, or to one of a resource above

	unchecked string // why it cannot be checked without an engine, "" if it can
}

// follow sees each resource that the program itself registers, before the engine does. It decides who shows the
// resource to the guard: the program, whose arguments it has here; the engine, to a transform of this resource only; or
// the engine, to a transform for this and all later resources.
func (g *guard) follow(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.registered = append(g.registered, args.Resource)
	if g.alone {
		g.followAlone(args)
		return nil
	}
	if g.clusters == nil || g.showsAll {
		return nil
	}
	opts, err := pulumi.NewResourceOptions(args.Opts...)
	properties, whole := g.properties(args)
	provider, known := "", false
	if err == nil {
		provider, known = g.providerInside(opts, g.above(opts.Parent))
	}
	if !known || !whole || g.hidden(args, opts) {
		if err := g.showAll(); err != nil {
			g.unseen = err
		}
		return nil
	}
	above := g.above(opts.Parent)
	own := followed{typ: tokens.Type(args.Type), provider: provider, shown: above.shown}
	if above.typ != "" {
		own.typ = above.typ + urn.TypeDelimiter + own.typ
	}
	// A resource with a transform shares it with those below, where it runs after theirs.
	show := !above.shown && (len(opts.Transforms) > 0 || !g.lookInside(args, properties, own))
	own.shown = own.shown || show
	g.followed[args.Resource] = own
	if !show {
		return nil
	}
	return &pulumi.ResourceTransformationResult{
		Props: args.Props,
		Opts:  append(slices.Clone(args.Opts), pulumi.Transforms([]pulumi.ResourceTransform{g.transform})),
	}
}

// above returns the state of a parent. [guard.hidden] has checked that it is known.
func (g *guard) above(parent pulumi.Resource) followed {
	if parent == nil {
		return followed{}
	}
	return g.followed[parent]
}

// hidden reports whether the resource, or a resource that follows from it, may change in a way that neither its
// arguments nor its own transform show.
func (g *guard) hidden(args *pulumi.ResourceTransformationArgs, opts *pulumi.ResourceOptions) bool {
	for _, r := range []pulumi.Resource{args.Resource, opts.Parent} {
		if r != nil && reflect.TypeOf(r).Kind() != reflect.Pointer {
			return true
		}
	}
	_, known := g.followed[opts.Parent]
	_, custom := args.Resource.(pulumi.CustomResource)
	switch {
	case opts.Parent != nil && !known:
		// It may have transforms.
		return true
	case len(opts.Transformations) > 0 || transformations(g.ctx) != 1:
		// It may come after the guard's, or return options that replace those here.
		return true
	case opts.URN != "", !custom && !local(args.Resource):
		// Another process registers what is below it.
		return true
	default:
		// A provider may register resources in its methods; the Kubernetes provider has none.
		return strings.HasPrefix(args.Type, "pulumi:providers:") && args.Type != "pulumi:providers:kubernetes"
	}
}

// lookInside checks the arguments of a resource. It returns false if the engine has to show the resource: if the
// arguments are not complete, or if there is a finding.
func (g *guard) lookInside(args *pulumi.ResourceTransformationArgs, properties map[string]any, own followed) bool {
	at := func() urn.URN {
		return urn.New(tokens.QName(g.ctx.Stack()), tokens.PackageName(g.ctx.Project()), "", own.typ, args.Name)
	}
	switch {
	case properties == nil:
		if _, custom := args.Resource.(pulumi.CustomResource); pods.IsPatch(args.Type, custom) {
			g.notChecked(at(), patchReason)
		}
		return true
	case args.Type == helmchart.ReleaseType, g.complete, !areArgs(args.Props):
		return false
	}
	object, in := pods.ReadObject(properties), g.clusterOf(own.provider)
	object.Stated = pods.StatesPlatform(string(own.typ))
	if len(in.checker.CheckObject(object)) > 0 {
		return false
	}
	r := &resource{located: located{at: at()}, name: args.Name, cluster: in, object: object}
	g.looked[r.at] = true
	g.inside++
	g.see(r, own.provider)
	return true
}

// properties returns the properties of a Kubernetes object, or nil for other resources. They are not complete if there
// is an output among the inputs: to the transform of a single resource the engine shows a property that depends on
// another resource as one output, which is unknown while any part of it is.
func (g *guard) properties(args *pulumi.ResourceTransformationArgs) (properties map[string]any, whole bool) {
	_, custom := args.Resource.(pulumi.CustomResource)
	if !pods.IsResource(args.Type, custom) {
		return nil, true
	}
	t, whole := input.Whole(args.Props)
	properties, ok := t.(map[string]any)
	return properties, whole && ok
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
func (g *guard) showAll() error {
	g.showsAll = true
	return g.ctx.RegisterResourceTransform(g.transform)
}
