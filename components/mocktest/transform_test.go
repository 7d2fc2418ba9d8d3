package mocktest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// changing returns a transform that works on the properties and options in place.
func changing(change func(args *pulumi.ResourceTransformArgs)) pulumi.ResourceTransform {
	return func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
		change(args)
		return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
	}
}

func unchanged(context.Context, *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	return nil
}

// transformed runs a program after it has registered transforms of the stack.
func transformed(program pulumi.RunFunc, transforms ...pulumi.ResourceTransform) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		for _, transform := range transforms {
			if err := ctx.RegisterResourceTransform(transform); err != nil {
				return err
			}
		}
		return program(ctx)
	}
}

func TestATransformChangesWhatIsRegistered(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, transformed(
		func(ctx *pulumi.Context) error {
			b, err := newBucket(ctx, "logs", pulumi.Map{"size": pulumi.Int(2), "old": pulumi.Int(1)},
				pulumi.IgnoreChanges([]string{"size"}), pulumi.RetainOnDelete(true))
			ctx.Export("size", b.Size)
			return err
		},
		changing(func(args *pulumi.ResourceTransformArgs) {
			args.Props["size"] = pulumi.Int(3)
			args.Props["key"] = pulumi.ToSecret(pulumi.Sprintf("%s of %s", args.Name, args.Type))
			delete(args.Props, "old")
			args.Opts.Protect = true
			args.Opts.RetainOnDelete = false
			args.Opts.DeleteBeforeReplace = true
			args.Opts.Import = pulumi.ID("42")
			args.Opts.Version = "1.2.3"
			args.Opts.PluginDownloadURL = "https://shop.example"
			args.Opts.AdditionalSecretOutputs = []string{"status"}
			args.Opts.ReplaceOnChanges = []string{"key"}
			args.Opts.Aliases = []pulumi.Alias{{Name: pulumi.String("older")}}
			args.Opts.CustomTimeouts = &pulumi.CustomTimeouts{Create: "5m"}
		})))
	diff(t, []mocktest.Resource{{
		URN: bucketURN + "logs", Type: "shop:index:Bucket", Name: "logs", Custom: true, ID: "42",
		Inputs: resource.PropertyMap{
			"size": resource.NewProperty(3.0),
			"key":  resource.MakeSecret(prop("logs of shop:index:Bucket")),
		},
		Protect:                 true,
		DeleteBeforeReplace:     true,
		ImportID:                "42",
		Version:                 "1.2.3",
		PluginDownloadURL:       "https://shop.example",
		IgnoreChanges:           []string{"size"},
		AdditionalSecretOutputs: []string{"status"},
		ReplaceOnChanges:        []string{"key"},
		Aliases:                 []mocktest.Alias{{Name: "older"}},
		CustomTimeouts:          mocktest.CustomTimeouts{Create: "5m"},
	}}, graph.Resources())
	diff(t, map[string]any{"size": 3}, mocktest.Plain(graph.Exports()))
}

func TestATransformReplacesProviders(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		clouds := map[string]*cloud{"eu": {}, "us": {}}
		for name, provider := range clouds {
			if err := ctx.RegisterResource("pulumi:providers:shop", name, nil, provider); err != nil {
				return err
			}
		}
		away := pulumi.Transforms([]pulumi.ResourceTransform{changing(func(args *pulumi.ResourceTransformArgs) {
			if args.Custom {
				args.Opts.Provider = clouds["us"]
			} else {
				args.Opts.Providers = []pulumi.ProviderResource{clouds["us"]}
			}
		})})
		if _, err := newSite(ctx, "web", pulumi.Providers(clouds["eu"])); err != nil {
			return err
		}
		_, err := newSite(ctx, "api", pulumi.Providers(clouds["eu"]), away)
		return err
	}, mocktest.Preview())
	got := map[string]resource.URN{}
	for _, r := range graph.Resources() {
		got[r.Name] = r.Provider
		if !r.Custom {
			got[r.Name] = r.Providers["shop"]
		}
	}
	const base = "urn:pulumi:stack::project::pulumi:providers:shop::"
	diff(t, map[string]resource.URN{
		"eu": "", "us": "",
		"web": base + "eu", "web-files": base + "eu", "api": base + "us", "api-files": base + "us",
	}, got)
}

// every returns a program that uses all options, and inputs of all kinds.
func every(options ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		provider := &cloud{}
		if err := ctx.RegisterResource("pulumi:providers:shop", "eu", pulumi.Map{}, provider); err != nil {
			return err
		}
		first, err := newBucket(ctx, "first", nil)
		if err != nil {
			return err
		}
		parent := &site{}
		if err := ctx.RegisterComponentResource("shop:index:Site", "web", parent,
			append(options, pulumi.Providers(provider))...); err != nil {
			return err
		}
		_, err = newBucket(ctx, "logs", kinds(first), append(options,
			pulumi.Parent(parent), pulumi.DependsOn([]pulumi.Resource{provider}),
			pulumi.Protect(true), pulumi.RetainOnDelete(true), pulumi.DeleteBeforeReplace(true),
			pulumi.DeletedWith(first), pulumi.ReplaceWith([]pulumi.Resource{first}),
			pulumi.IgnoreChanges([]string{"size"}), pulumi.ReplaceOnChanges([]string{"from"}),
			pulumi.AdditionalSecretOutputs([]string{"key"}),
			pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("old")}, {NoParent: pulumi.Bool(true)}}),
			pulumi.Import(pulumi.ID("imported")), pulumi.Version("1.2.3"),
			pulumi.PluginDownloadURL("https://shop.example"), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "5m"}))...)
		return err
	}
}

// kinds returns properties of all kinds. Those of the bucket are known only in an update.
func kinds(from *bucket) pulumi.Map {
	return pulumi.Map{
		"asset":         pulumi.NewStringAsset("text"),
		"bool":          pulumi.Bool(true),
		"list":          pulumi.Array{pulumi.String("a"), from.Status, pulumi.ToSecret("hidden")},
		"object":        pulumi.Map{"in.side": pulumi.Map{"deep": from.ID()}, "half": pulumi.Float64(0.5)},
		"reference":     pulumi.NewResourceInput(from),
		"secret":        pulumi.ToSecret("hidden"),
		"secretObject":  pulumi.ToSecret(pulumi.Map{"a": pulumi.String("hidden")}),
		"secretUnknown": pulumi.ToSecret(from.Status),
		"text":          pulumi.String("a"),
		"unknown":       from.Status,
	}
}

func TestATransformThatReturnsNilChangesNothing(t *testing.T) {
	t.Parallel()
	own := pulumi.Transforms([]pulumi.ResourceTransform{unchanged})
	for mode, options := range map[string][]mocktest.Option{"in an update": nil, "in a preview": {mocktest.Preview()}} {
		want := mocktest.MustRun(t, every(), options...)
		for name, program := range map[string]pulumi.RunFunc{
			"of the stack":                   transformed(every(), unchanged),
			"of the resources":               every(own),
			"of the resources and the stack": transformed(every(own), unchanged, unchanged),
		} {
			t.Run(name+" "+mode, func(t *testing.T) {
				t.Parallel()
				got := mocktest.MustRun(t, program, options...)
				diff(t, want.Resources(), got.Resources())
				diff(t, want.String(), got.String())
			})
		}
	}
}

func TestAResultOfATransformDropsWhatTheSDKDoesNotPass(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, transformed(func(ctx *pulumi.Context) error {
		first, err := newBucket(ctx, "first", nil)
		if err != nil {
			return err
		}
		_, err = newBucket(ctx, "second", nil, pulumi.Protect(true),
			pulumi.DeletedWith(first), pulumi.ReplaceWith([]pulumi.Resource{first}))
		return err
	}, changing(func(*pulumi.ResourceTransformArgs) {})))
	diff(t, mocktest.Resource{
		URN: bucketURN + "second", Type: "shop:index:Bucket", Name: "second", Custom: true, ID: "second-id",
		Inputs: resource.PropertyMap{}, Protect: true,
	}, graph.Resources()[1])
}

// seen is what a transform can see of a property.
type seen struct {
	Type          string
	Value         any
	Known, Secret bool
	Dependencies  int
}

func see(ctx context.Context, t *testing.T, input pulumi.Input) any {
	t.Helper()
	switch v := input.(type) {
	case pulumi.Map:
		inside := map[string]any{}
		for key, value := range v {
			inside[key] = see(ctx, t, value)
		}
		return inside
	case pulumi.Array:
		var inside []any
		for _, value := range v {
			inside = append(inside, see(ctx, t, value))
		}
		return inside
	case pulumi.ResourceOutput:
		return "resource"
	case pulumi.Output:
		r, err := internals.UnsafeAwaitOutput(ctx, v)
		if err != nil {
			t.Errorf("awaiting a property: %v", err)
		}
		return seen{
			Type: fmt.Sprintf("%T", v), Value: r.Value, Known: r.Known, Secret: r.Secret,
			Dependencies: len(r.Dependencies),
		}
	case pulumi.Asset:
		return v.Text()
	default:
		return input
	}
}

func TestTransformsReceivePropertiesAsOnTheEngine(t *testing.T) {
	t.Parallel()
	unknown := seen{Type: "pulumi.AnyOutput"}
	secret := seen{Type: "pulumi.StringOutput", Value: "hidden", Known: true, Secret: true}
	secretObject := seen{Type: "pulumi.MapOutput", Value: map[string]any{"a": "hidden"}, Known: true, Secret: true}
	preview := map[string]any{
		"asset":         "text",
		"bool":          pulumi.Bool(true),
		"list":          []any{pulumi.String("a"), unknown, secret},
		"object":        map[string]any{"in.side": map[string]any{"deep": unknown}, "half": pulumi.Float64(0.5)},
		"reference":     "resource",
		"secret":        secret,
		"secretObject":  secretObject,
		"secretUnknown": seen{Type: "pulumi.AnyOutput", Secret: true},
		"text":          pulumi.String("a"),
		"unknown":       unknown,
	}
	update := map[string]any{
		"asset": "text",
		"bool":  pulumi.Bool(true),
		"list":  []any{pulumi.String("a"), pulumi.String("ready"), secret},
		"object": map[string]any{
			"in.side": map[string]any{"deep": pulumi.String("first-id")},
			"half":    pulumi.Float64(0.5),
		},
		"reference":     "resource",
		"secret":        secret,
		"secretObject":  secretObject,
		"secretUnknown": seen{Type: "pulumi.StringOutput", Value: "ready", Known: true, Secret: true},
		"text":          pulumi.String("a"),
		"unknown":       pulumi.String("ready"),
	}
	ready := mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{"status": prop("ready")}
	})
	tests := map[string]struct {
		options []mocktest.Option
		want    any
	}{
		"in a preview": {[]mocktest.Option{ready, mocktest.Preview()}, preview},
		"in an update": {[]mocktest.Option{ready}, update},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got any
			inspect := changing(func(args *pulumi.ResourceTransformArgs) {
				if args.Name == "logs" {
					got = see(t.Context(), t, args.Props)
					args.Props["added"] = pulumi.Int(1)
				}
			})
			want := mocktest.MustRun(t, every(), test.options...)
			graph := mocktest.MustRun(t, transformed(every(), inspect), test.options...)
			diff(t, test.want, got)

			// A property that the transform does not change is preserved.
			logs, err := graph.Get("shop:index:Bucket", "logs")
			diff(t, "", text(err))
			diff(t, resource.NewProperty(1.0), logs.Inputs["added"])
			delete(logs.Inputs, "added")
			original, _ := want.Get("shop:index:Bucket", "logs")
			reference := original.Inputs["reference"].ResourceReferenceValue()
			reference.ID = resource.PropertyValue{} // The SDK loses it.
			original.Inputs["reference"] = resource.NewProperty(reference)
			diff(t, original.Inputs, logs.Inputs)
			diff(t, original.Dependencies, logs.Dependencies)
			diff(t, original.PropertyDependencies, logs.PropertyDependencies)
		})
	}
}

func TestTransformsReceiveDependenciesOfTheirResourceOnly(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		own  bool
		want seen
	}{
		"of the stack":    {false, seen{Type: "pulumi.AnyOutput"}},
		"of the resource": {true, seen{Type: "pulumi.AnyOutput", Dependencies: 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got any
			inspect := changing(func(args *pulumi.ResourceTransformArgs) {
				if args.Name == "second" {
					got = see(t.Context(), t, args.Props["from"])
				}
			})
			program := func(options ...pulumi.ResourceOption) pulumi.RunFunc {
				return func(ctx *pulumi.Context) error {
					first, err := newBucket(ctx, "first", nil)
					if err != nil {
						return err
					}
					_, err = newBucket(ctx, "second", pulumi.Map{"from": first.Status}, options...)
					return err
				}
			}
			if test.own {
				mocktest.MustRun(t, program(pulumi.Transforms([]pulumi.ResourceTransform{inspect})), mocktest.Preview())
			} else {
				mocktest.MustRun(t, transformed(program(), inspect), mocktest.Preview())
			}
			diff(t, test.want, got)
		})
	}
}

func TestTransformsChangeDependenciesAsOnTheEngine(t *testing.T) {
	t.Parallel()
	const first, second = bucketURN + "first", bucketURN + "second"
	tests := map[string]struct {
		ofStack, ofParent, own bool
		want                   []resource.URN
		wantOfProperties       map[string][]resource.URN
	}{
		"those of the stack cannot": {
			true, false, false,
			[]resource.URN{first},
			map[string][]resource.URN{"from": {first}},
		},
		"those of a parent cannot": {
			false, true, false,
			[]resource.URN{first},
			map[string][]resource.URN{"from": {first}},
		},
		"those of the resource can":    {false, false, true, []resource.URN{first, second}, nil},
		"with them the others can too": {true, false, true, []resource.URN{first, second}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				first, err := newBucket(ctx, "first", nil)
				if err != nil {
					return err
				}
				second, err := newBucket(ctx, "second", nil)
				if err != nil {
					return err
				}
				depend := changing(func(args *pulumi.ResourceTransformArgs) {
					if args.Name == "third" {
						args.Opts.DependsOn = append(args.Opts.DependsOn, second)
					}
				})
				option := func(used bool) pulumi.ResourceOption {
					if used {
						return pulumi.Transforms([]pulumi.ResourceTransform{depend})
					}
					return pulumi.Transforms(nil)
				}
				if test.ofStack {
					if err := ctx.RegisterResourceTransform(depend); err != nil {
						return err
					}
				}
				parent := &site{}
				if err := ctx.RegisterComponentResource("shop:index:Site", "web", parent,
					option(test.ofParent)); err != nil {
					return err
				}
				_, err = newBucket(ctx, "third", pulumi.Map{"from": first.Status}, pulumi.Parent(parent),
					option(test.own))
				return err
			})
			third, err := graph.Get("shop:index:Bucket", "third")
			diff(t, "", text(err))
			diff(t, test.want, third.Dependencies)
			diff(t, test.wantOfProperties, third.PropertyDependencies)
		})
	}
}

func TestTransformsRunInTheOrderOfTheEngine(t *testing.T) {
	t.Parallel()
	trace := func(label string) pulumi.ResourceTransform {
		return changing(func(args *pulumi.ResourceTransformArgs) {
			trail, _ := args.Props["trail"].(pulumi.String)
			args.Props["trail"] = trail + pulumi.String(label+" ")
		})
	}
	own := func(labels ...string) pulumi.ResourceOption {
		var all []pulumi.ResourceTransform
		for _, label := range labels {
			all = append(all, trace(label))
		}
		return pulumi.Transforms(all)
	}
	graph := mocktest.MustRun(t, transformed(func(ctx *pulumi.Context) error {
		outer, inner := &site{}, &site{}
		if err := ctx.RegisterComponentResource("shop:index:Site", "outer", outer,
			own("outer1", "outer2")); err != nil {
			return err
		}
		if err := ctx.RegisterComponentResource("shop:index:Site", "inner", inner, own("inner"),
			pulumi.Parent(outer)); err != nil {
			return err
		}
		if _, err := newSite(ctx, "plain", pulumi.Parent(outer)); err != nil {
			return err
		}
		old := &bucket{}
		if err := ctx.ReadResource("shop:index:Bucket", "old", pulumi.ID("42"), pulumi.Map{}, old,
			pulumi.Parent(inner)); err != nil {
			return err
		}
		_, err1 := newBucket(ctx, "child", nil, own("own1", "own2"), pulumi.Parent(inner))
		_, err2 := newBucket(ctx, "orphan", nil, pulumi.Parent(old))
		_, err3 := newBucket(ctx, "single", nil)
		return errors.Join(err1, err2, err3)
	}, trace("stack1"), trace("stack2")))
	got := map[string]any{}
	for _, r := range graph.Resources() {
		got[r.Name] = r.Plain()["trail"]
	}
	diff(t, map[string]any{
		"outer":       "outer1 outer2 stack1 stack2 ",
		"inner":       "inner outer1 outer2 stack1 stack2 ",
		"child":       "own1 own2 inner outer1 outer2 stack1 stack2 ",
		"plain":       "outer1 outer2 stack1 stack2 ",
		"plain-files": "outer1 outer2 stack1 stack2 ",
		"single":      "stack1 stack2 ",
		// The engine does not transform reads, and nothing is inherited through them.
		"old":    nil,
		"orphan": "stack1 stack2 ",
	}, got)
}

func TestTransformsReceiveTheirResource(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	look := func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
		kind := "component"
		if args.Custom {
			kind = "custom"
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, args.Type+" "+args.Name+" "+kind)
		return nil
	}
	mocktest.MustRun(t, transformed(func(ctx *pulumi.Context) error {
		web, err := newSite(ctx, "web")
		if err != nil {
			return err
		}
		ctx.Export("endpoint", web.Endpoint)
		return ctx.RegisterResource("pulumi:providers:shop", "eu", nil, &cloud{})
	}, look))
	slices.Sort(got)
	diff(t, []string{
		"pulumi:providers:shop eu custom",
		"shop:index:Bucket web-files custom",
		"shop:index:Site web component",
	}, got) // not the stack
}

func TestATransformThatFailsFailsItsResource(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(args *pulumi.ResourceTransformArgs)
		want   string
	}{
		"by a property that fails": {
			func(args *pulumi.ResourceTransformArgs) {
				args.Props["size"] = args.Props["size"].(pulumi.Float64).ToFloat64Output().
					ApplyT(func(float64) (int, error) { return 0, errors.New(args.Name + " is too big") })
			},
			"invoke transform: rpc error: code = Unknown desc = marshaling properties: a is too big\n" +
				"invoke transform: rpc error: code = Unknown desc = marshaling properties: b is too big",
		},
		"by another parent": {
			func(args *pulumi.ResourceTransformArgs) { args.Opts.Parent = &site{} },
			"invoke transform: rpc error: code = Unknown desc = cannot change parent in transform",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fail := changing(func(args *pulumi.ResourceTransformArgs) {
				if args.Props["size"] != nil {
					test.change(args)
				}
			})
			graph, err := mocktest.Run(transformed(func(ctx *pulumi.Context) error {
				a, errA := newBucket(ctx, "a", pulumi.Map{"size": pulumi.Int(7)})
				_, errB := newBucket(ctx, "b", pulumi.Map{"size": pulumi.Int(8)})
				_, errC := newBucket(ctx, "c", pulumi.Map{"from": a.Status})
				_, errD := newBucket(ctx, "d", nil)
				ctx.Export("status", a.Status)
				return errors.Join(errA, errB, errC, errD)
			}, fail))
			diff(t, test.want, text(err))
			var names []string
			for _, r := range graph.Resources() {
				names = append(names, r.Name)
			}
			diff(t, []string{"d"}, names)
		})
	}
}

func TestLogsOfTransformsAreRecorded(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		var web *site
		warn := func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
			err := ctx.Log.Info("saw "+args.Name, nil)
			if args.Custom {
				err = errors.Join(err,
					ctx.Log.Warn("known to the program", &pulumi.LogArgs{Resource: web}),
					ctx.Log.Warn("known to the transform", &pulumi.LogArgs{Resource: args.Opts.Parent}))
			}
			if err != nil {
				t.Errorf("logging: %v", err)
			}
			return nil
		}
		if err := ctx.RegisterResourceTransform(warn); err != nil {
			return err
		}
		web = &site{}
		if err := ctx.RegisterComponentResource("shop:index:Site", "web", web); err != nil {
			return err
		}
		_, err := newBucket(ctx, "files", nil, pulumi.Parent(web))
		return err
	})
	const web = "urn:pulumi:stack::project::shop:index:Site::web"
	diff(t, []mocktest.Log{
		{Severity: "info", Message: "saw files"},
		{Severity: "info", Message: "saw web"},
		{Severity: "warning", Message: "known to the program", URN: web},
		{Severity: "warning", Message: "known to the transform", URN: web},
	}, graph.Logs())
}

func TestATransformMayInvoke(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		return transformed(func(ctx *pulumi.Context) error {
			_, err := newBucket(ctx, "a", nil)
			return err
		}, changing(func(args *pulumi.ResourceTransformArgs) {
			var price struct {
				Cents int `pulumi:"cents"`
			}
			if err := ctx.Invoke("shop:index:getPrice", map[string]any{"of": args.Name}, &price); err != nil {
				t.Errorf("invoking: %v", err)
			}
			args.Props["size"] = pulumi.Int(price.Cents)
		}))(ctx)
	}, mocktest.Calls(func(mocktest.Call) (resource.PropertyMap, error) {
		return resource.PropertyMap{"cents": resource.NewProperty(250.0)}, nil
	}))
	diff(t, map[string]any{"size": 250}, graph.Resources()[0].Plain())
}
