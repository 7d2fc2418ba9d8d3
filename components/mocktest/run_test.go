package mocktest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestRunRecordsTheWholeRegistration(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider := &cloud{}
		if err := ctx.RegisterResource("pulumi:providers:shop", "eu::west", pulumi.Map{}, provider); err != nil {
			return err
		}
		first, err := newBucket(ctx, "first", nil)
		if err != nil {
			return err
		}
		second, err := newBucket(ctx, "second", nil)
		if err != nil {
			return err
		}
		parent := &site{}
		if err := ctx.RegisterComponentResource("shop:index:Site", "web", parent,
			pulumi.Providers(provider)); err != nil {
			return err
		}
		_, err = newBucket(ctx, "logs", pulumi.Map{"from": first.ID(), "size": pulumi.Int(3)},
			pulumi.Parent(parent), pulumi.DependsOn([]pulumi.Resource{second}),
			pulumi.Protect(true), pulumi.RetainOnDelete(true), pulumi.DeleteBeforeReplace(true),
			pulumi.DeletedWith(second), pulumi.IgnoreChanges([]string{"size"}),
			pulumi.ReplaceOnChanges([]string{"from"}), pulumi.AdditionalSecretOutputs([]string{"key"}),
			pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("old")}, {NoParent: pulumi.Bool(true)}}),
			pulumi.Import(pulumi.ID("imported")), pulumi.Version("1.2.3"),
			pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "5m"}))
		return err
	})
	got, err := graph.Get("shop:index:Bucket", "logs")
	if err != nil {
		t.Fatal(err)
	}
	const base = "urn:pulumi:stack::project::"
	diff(t, mocktest.Resource{
		URN:          base + "shop:index:Site$shop:index:Bucket::logs",
		Type:         "shop:index:Bucket",
		Name:         "logs",
		Parent:       base + "shop:index:Site::web",
		Custom:       true,
		ID:           "imported",
		Inputs:       resource.PropertyMap{"from": prop("first-id"), "size": resource.NewProperty(3.0)},
		Dependencies: []resource.URN{bucketURN + "first", bucketURN + "second"},
		PropertyDependencies: map[string][]resource.URN{
			"from": {bucketURN + "first"},
		},
		Provider:                base + "pulumi:providers:shop::eu::west",
		Protect:                 true,
		RetainOnDelete:          true,
		DeleteBeforeReplace:     true,
		DeletedWith:             bucketURN + "second",
		IgnoreChanges:           []string{"size"},
		ReplaceOnChanges:        []string{"from"},
		AdditionalSecretOutputs: []string{"key"},
		Aliases:                 []mocktest.Alias{{Name: "old"}, {NoParent: true}},
		ImportID:                "imported",
		Version:                 "1.2.3",
		CustomTimeouts:          mocktest.CustomTimeouts{Create: "5m"},
	}, got)
	diff(t, []mocktest.Resource{got}, graph.Children(got.Parent))
	parent, _ := graph.ByURN(got.Parent)
	diff(t, map[string]resource.URN{"shop": got.Provider}, parent.Providers)
}

func TestRunAnswersLikeAProvider(t *testing.T) {
	t.Parallel()
	status := mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{
			"status": prop("ready " + r.ID),
			"nested": resource.NewProperty(resource.PropertyMap{"added": prop("b")}),
		}
	})
	ownID := mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{"id": prop("/buckets/logs")}
	})
	known := map[string]any{"id": "logs-id", "size": 2, "status": "", "key": mocktest.SecretValue}
	tests := map[string]struct {
		options []mocktest.Option
		want    map[string]any
	}{
		"an update echoes the inputs and makes an ID": {nil, known},
		"an update adds the outputs": {[]mocktest.Option{status}, map[string]any{
			"id": "logs-id", "size": 2, "status": "ready logs-id", "key": mocktest.SecretValue,
		}},
		"the outputs can contain the ID": {[]mocktest.Option{ownID}, map[string]any{
			"id": "/buckets/logs", "size": 2, "status": "", "key": mocktest.SecretValue,
		}},
		"a preview knows the inputs only": {[]mocktest.Option{mocktest.Preview(), status}, map[string]any{
			"id": mocktest.UnknownValue, "size": 2, "status": mocktest.UnknownValue, "key": mocktest.SecretValue,
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				b, err := newBucket(ctx, "logs", pulumi.Map{
					"size": pulumi.Int(2), "key": pulumi.String("k"), "nested": pulumi.Map{"a": pulumi.String("a")},
				}, pulumi.AdditionalSecretOutputs([]string{"key"}))
				ctx.Export("id", b.ID())
				ctx.Export("size", b.Size)
				ctx.Export("status", b.Status)
				ctx.Export("key", b.Key)
				return err
			}, test.options...)
			diff(t, test.want, mocktest.Plain(graph.Exports()))
		})
	}
}

func TestAPreviewKeepsUnknownInputs(t *testing.T) {
	t.Parallel()
	program := func(ctx *pulumi.Context) error {
		first, err := newBucket(ctx, "first", nil)
		if err != nil {
			return err
		}
		provider := &cloud{}
		if err := ctx.RegisterResource("pulumi:providers:shop", "eu", pulumi.Map{
			"kubeconfig": pulumi.ToSecret(first.Status),
		}, provider); err != nil {
			return err
		}
		_, err = newBucket(ctx, "second", pulumi.Map{
			"plain": pulumi.Map{"list": pulumi.Array{pulumi.String("a"), first.Status}, "tls.key": first.ID()},
		}, pulumi.Provider(provider))
		return err
	}
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	provider, _ := graph.Get("pulumi:providers:shop", "eu")
	diff(t, []string{"kubeconfig"}, provider.Secrets())
	diff(t, []string{"kubeconfig"}, provider.Unknowns())
	second, _ := graph.Get("shop:index:Bucket", "second")
	diff(t, map[string]any{"plain": map[string]any{
		"list": []any{"a", mocktest.UnknownValue}, "tls.key": mocktest.UnknownValue,
	}}, second.Plain())
	diff(t, []string{`plain.list[1]`, `plain["tls.key"]`}, second.Unknowns())
	diff(t, provider.URN, second.Provider)
	diff(t, "", second.ID)

	graph = mocktest.MustRun(t, program)
	second, _ = graph.Get("shop:index:Bucket", "second")
	diff(t, []string(nil), second.Unknowns())
	diff(t, "second-id", second.ID)
}

func TestUnknownInputsReachNoApply(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		length := mocktest.Unknown[pulumi.StringOutput]().ApplyT(func(s string) (int, error) {
			return len(s), errors.New("applied to an unknown value")
		})
		_, err := newBucket(ctx, "logs", pulumi.Map{
			"size": length, "id": mocktest.Unknown[pulumi.IDOutput](),
			"tags": mocktest.Unknown[pulumi.StringMapOutput](),
		})
		return err
	}, mocktest.Preview())
	diff(t, []string{"id", "size", "tags"}, graph.Resources()[0].Unknowns())
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	invoke := func(ctx *pulumi.Context) error {
		var result map[string]any
		_ = ctx.Invoke("shop:index:getPrice", map[string]any{"of": "tea"}, &result)
		return nil
	}
	refusal := errors.New("boom")
	tests := map[string]struct {
		program pulumi.RunFunc
		options []mocktest.Option
		want    string
	}{
		"with the program's own error unchanged": {
			func(*pulumi.Context) error { return refusal }, nil, "boom",
		},
		"on two children of one name under parents of one type": {
			func(ctx *pulumi.Context) error {
				for _, name := range []string{"a", "b"} {
					parent := &site{}
					if err := ctx.RegisterComponentResource("shop:index:Site", name, parent); err != nil {
						return err
					}
					if _, err := newBucket(ctx, "files", nil, pulumi.Parent(parent)); err != nil {
						return err
					}
				}
				return nil
			}, nil,
			"mocktest: URN urn:pulumi:stack::project::shop:index:Site$shop:index:Bucket::files is registered twice: " +
				"as a child of urn:pulumi:stack::project::shop:index:Site::a (mocktest/run_test.go:LINE) and " +
				"as a child of urn:pulumi:stack::project::shop:index:Site::b (mocktest/run_test.go:LINE)",
		},
		"on a read of what is registered": {
			func(ctx *pulumi.Context) error {
				if err := ctx.RegisterResource("shop:index:Bucket", "a", nil, &bucket{}); err != nil {
					return err
				}
				return ctx.ReadResource("shop:index:Bucket", "a", pulumi.ID("1"), nil, &bucket{})
			}, nil,
			"mocktest: URN " + bucketURN +
				"a is registered twice: as a child of the stack and as a child of the stack " +
				"(mocktest/run_test.go:LINE)",
		},
		"on an unknown input in an update": {
			func(ctx *pulumi.Context) error {
				_, err := newBucket(ctx, "a", pulumi.Map{"key": mocktest.Unknown[pulumi.StringOutput]()})
				return err
			}, nil, `mocktest: shop:index:Bucket "a": unknown inputs in an update: key`,
		},
		"on an invoke that nothing answers, even if the program continues": {
			invoke, nil, "mocktest: the program calls shop:index:getPrice, and nothing answers: pass mocktest.Calls",
		},
		"on an invoke transform": {
			func(ctx *pulumi.Context) error {
				_ = ctx.RegisterInvokeTransform(
					func(context.Context, *pulumi.InvokeTransformArgs) *pulumi.InvokeTransformResult { return nil })
				return nil
			}, nil, "mocktest: the program uses invoke transforms, which only the real engine runs: test them there",
		},
		"with the program's error first and what was refused after it": {
			func(ctx *pulumi.Context) error { return errors.Join(invoke(ctx), refusal) }, nil,
			"boom\nmocktest: the program calls shop:index:getPrice, and nothing answers: pass mocktest.Calls",
		},
		"with the SDK's error about a failed output": {
			func(ctx *pulumi.Context) error {
				failed := pulumi.String("x").ToStringOutput().ApplyT(func(string) (string, error) {
					return "",
						refusal
				})
				_, err := newBucket(ctx, "a", pulumi.Map{"key": failed})
				return err
			}, nil, `waiting for RPCs: marshaling properties: awaiting input property "key": boom`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(test.program, test.options...)
			diff(t, test.want, withoutLines(text(err)))
			if graph == nil {
				t.Error("the graph is nil")
			}
		})
	}
	_, err := mocktest.Run(tests["with the program's own error unchanged"].program)
	if err != refusal { //nolint:errorlint // It has to be the very error.
		t.Errorf("got %T, want the program's error itself", err)
	}
}

func TestAPanicInAnAnswerFailsTheRun(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := newBucket(ctx, "a", nil)
		return err
	}, mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap { panic("oops") }))
	got, _, _ := strings.Cut(text(err), "\n")
	diff(t, `mocktest: the Outputs function panicked at shop:index:Bucket "a": oops`, got)
}

func TestASecretThatIsUnknownStaysUnknownInTheOutputs(t *testing.T) {
	t.Parallel()
	applied := make(chan string, 1)
	mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		first, err := newBucket(ctx, "first",
			pulumi.Map{"key": pulumi.ToSecret(mocktest.Unknown[pulumi.StringOutput]())})
		ctx.Export("key", first.Key.ApplyT(func(key string) string {
			applied <- key
			return key
		}))
		return err
	}, mocktest.Preview())
	select {
	case key := <-applied:
		t.Errorf("applied to %q", key)
	default:
	}
}

func TestCallsAreAnsweredAndRecorded(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		var price struct {
			Cents int `pulumi:"cents"`
		}
		err := ctx.Invoke("shop:index:getPrice", map[string]any{"of": "tea"}, &price)
		ctx.Export("cents", pulumi.Int(price.Cents))
		if err != nil {
			return err
		}
		err = ctx.Invoke("shop:index:fail", nil, &price)
		ctx.Export("error", pulumi.String(text(err)))
		return nil
	}, mocktest.Calls(func(c mocktest.Call) (resource.PropertyMap, error) {
		if c.Token == "shop:index:fail" {
			return nil, errors.New("out of tea")
		}
		return resource.PropertyMap{"cents": resource.NewProperty(250.0)}, nil
	}))
	diff(t, "", text(err))
	diff(t, []mocktest.Call{
		{Token: "shop:index:fail", Args: resource.PropertyMap{}},
		{Token: "shop:index:getPrice", Args: resource.PropertyMap{"of": prop("tea")}},
	}, graph.Calls())
	diff(t, map[string]any{
		"cents": 250, "error": "rpc error: code = Unknown desc = out of tea",
	}, mocktest.Plain(graph.Exports()))
}

// The engine, which is the provider of stashes, does this in a preview too.
func TestAStashReturnsItsFirstInput(t *testing.T) {
	t.Parallel()
	stash := func(ctx *pulumi.Context) error {
		s, err := pulumi.NewStash(ctx, "memory", &pulumi.StashArgs{Input: pulumi.ToSecret("now")})
		ctx.Export("output", pulumi.Unsecret(s.Output))
		return err
	}
	before := mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{"output": resource.MakeSecret(prop("before"))}
	})
	tests := []struct {
		name    string
		options []mocktest.Option
		want    string
	}{
		{"the first preview", []mocktest.Option{mocktest.Preview()}, "now"},
		{"the first update", nil, "now"},
		{"a later preview", []mocktest.Option{mocktest.Preview(), before}, "before"},
		{"a later update", []mocktest.Option{before}, "before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, stash, tt.options...)
			diff(t, map[string]any{"output": tt.want}, mocktest.Plain(graph.Exports()))
		})
	}
}

func TestReadsAreRecordedAndResolvedInAPreview(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		b := &bucket{}
		err := ctx.ReadResource("shop:index:Bucket", "old", pulumi.ID("42"), nil, b)
		ctx.Export("status", pulumi.Sprintf("%s %s", b.ID(), b.Status))
		return err
	}, mocktest.Preview(), mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{"status": prop("ready")}
	}))
	diff(t, []mocktest.Resource{{
		URN: bucketURN + "old", Type: "shop:index:Bucket", Name: "old",
		Custom: true, Read: true, ID: "42", Inputs: resource.PropertyMap{},
	}}, graph.Resources())
	diff(t, map[string]any{"status": "42 ready"}, mocktest.Plain(graph.Exports()))
}

func TestConfigAndNamesReachTheProgram(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, password := config.New(ctx, "").GetSecret("password"), config.GetSecret(ctx, "cloud:password")
		ctx.Export("password", password)
		ctx.Export("names", pulumi.Sprintf("%s %s %v %s", ctx.Project(), ctx.Stack(), ctx.DryRun(),
			config.Get(ctx, "shop:region")))
		return nil
	}, mocktest.Config(map[string]string{"region": "eu"}), mocktest.Config(map[string]string{"cloud:password": "x"}),
		mocktest.Project("shop", "dev"))
	diff(t, map[string]any{"names": "shop dev false eu", "password": mocktest.SecretValue},
		mocktest.Plain(graph.Exports()))
}

func TestLogsAreRecorded(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		b, err := newBucket(ctx, "a", nil)
		if err != nil {
			return err
		}
		return errors.Join(
			ctx.Log.Warn("two\nlines", &pulumi.LogArgs{Resource: b}), ctx.Log.Info("hello", nil))
	})
	diff(t, []mocktest.Log{
		{Severity: "info", Message: "hello"},
		{Severity: "warning", Message: "two\nlines", URN: bucketURN + "a"},
	}, graph.Logs())
	diff(t, `project-stack (update)
  shop:index:Bucket "a"
logs:
  info: hello
  warning shop:index:Bucket "a": two
    lines
`, graph.String())
}

func TestTheGraphDoesNotDependOnTheOrderOfRegistration(t *testing.T) {
	t.Parallel()
	run := func() string {
		return mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			var group sync.WaitGroup
			errs := make([]error, 20)
			for i := range errs {
				group.Go(func() {
					name := fmt.Sprintf("site%02d", i)
					_, errs[i] = newSite(ctx, name)
					var result map[string]any
					errs[i] = errors.Join(errs[i],
						ctx.Log.Info(name, nil),
						ctx.Invoke("shop:index:get", map[string]any{"name": name}, &result))
				})
			}
			group.Wait()
			return errors.Join(errs...)
		}, mocktest.Calls(func(mocktest.Call) (resource.PropertyMap, error) { return nil, nil })).String()
	}
	want := run()
	if count := strings.Count(want, "site00"); count != 4 {
		t.Errorf("site00 shows %d times, want as a site, a bucket, a call and a log:\n%s", count, want)
	}
	for range 49 {
		if d := cmp.Diff(want, run()); d != "" {
			t.Fatalf("two runs differ:\n%s", d)
		}
	}
}
