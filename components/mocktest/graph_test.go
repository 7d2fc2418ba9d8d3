package mocktest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// withoutLines makes messages independent of the position of a test in its file.
func withoutLines(s string) string {
	return regexp.MustCompile(`\.go:\d+`).ReplaceAllString(s, ".go:LINE")
}

func twoSites(ctx *pulumi.Context) error {
	for _, name := range []string{"api", "web"} {
		if _, err := newSite(ctx, name); err != nil {
			return err
		}
	}
	other := &pulumi.ResourceState{}
	if err := ctx.RegisterComponentResource("shop:index:Box", "box", other); err != nil {
		return err
	}
	_, err := newBucket(ctx, "web-files", nil, pulumi.Parent(other))
	return err
}

func TestGetListsTheNearestResources(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, twoSites)
	tests := map[string]struct{ typ, name, want string }{
		"what exists is found": {"shop:index:Site", "web", ""},
		"the names of the type": {
			"shop:index:Site", "wbe",
			`mocktest: no shop:index:Site "wbe": resources of this type are "api", "web"`,
		},
		"the types of the name": {
			"shop:index:Sight", "web",
			`mocktest: no shop:index:Sight "web": resources with this name are shop:index:Site "web"`,
		},
		"everything": {
			"x:y:Z", "z",
			`mocktest: no x:y:Z "z": there are shop:index:Bucket "web-files", shop:index:Box "box", ` +
				`shop:index:Bucket "api-files", shop:index:Bucket "web-files", shop:index:Site "api", ` +
				`shop:index:Site "web"`,
		},
		"several with different parents": {
			"shop:index:Bucket", "web-files",
			`mocktest: 2 resources are shop:index:Bucket "web-files": ` +
				`urn:pulumi:stack::project::shop:index:Box$shop:index:Bucket::web-files, ` +
				`urn:pulumi:stack::project::shop:index:Site$shop:index:Bucket::web-files`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := graph.Get(test.typ, test.name)
			diff(t, test.want, text(err))
		})
	}
	empty := mocktest.MustRun(t, func(*pulumi.Context) error { return nil })
	_, err := empty.Get("x:y:Z", "z")
	diff(t, `mocktest: no x:y:Z "z": the graph is empty`, text(err))
}

func TestByTypeAndChildrenSelectSorted(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, twoSites)
	names := func(resources []mocktest.Resource) string {
		var all []string
		for _, r := range resources {
			all = append(all, r.Name)
		}
		return strings.Join(all, " ")
	}
	diff(t, "api web", names(graph.ByType("shop:index:Site")))
	diff(t, "box api web", names(graph.Children("")))
	diff(t, "api-files", names(graph.Children("urn:pulumi:stack::project::shop:index:Site::api")))
	diff(t, "web-files box api-files web-files api web", names(graph.Resources()))
}

func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := newBucket(ctx, "a", pulumi.Map{
			"data":   pulumi.Map{"tls.key": pulumi.ToSecret("hidden"), "list": pulumi.Array{pulumi.ToSecret(7)}},
			"object": pulumi.ToSecret(pulumi.StringMap{"inner": pulumi.String("hidden")}),
			"marker": pulumi.String("[secret]"),
			"half":   pulumi.Float64(0.5),
			"none":   pulumi.Map{},
			"text":   pulumi.String("one\n\ntwo\n"),
			"yes":    pulumi.String("true"),
		})
		return err
	})
	a := graph.Resources()[0]
	diff(t, []string{`data.list[0]`, `data["tls.key"]`, `object`}, a.Secrets())
	diff(t, map[string]any{
		"data":   map[string]any{"tls.key": mocktest.SecretValue, "list": []any{mocktest.SecretValue}},
		"object": mocktest.SecretValue,
		"marker": "[secret]", "half": 0.5, "none": map[string]any{}, "text": "one\n\ntwo\n", "yes": "true",
	}, a.Plain())
	diff(t, map[string]any{
		"data":   map[string]any{"tls.key": "hidden", "list": []any{7}},
		"object": map[string]any{"inner": "hidden"},
		"marker": "[secret]", "half": 0.5, "none": map[string]any{}, "text": "one\n\ntwo\n", "yes": "true",
	}, mocktest.Revealed(a.Inputs))
	diff(t, prop("hidden"), a.Inputs["data"].ObjectValue()["tls.key"].SecretValue().Element)
	diff(t, `project-stack (update)
  shop:index:Bucket "a"
    inputs:
      data: {list: [[secret]], tls.key: [secret]}
      half: 0.5
      marker: '[secret]'
      none: {}
      object: [secret]
      text: |
        one

        two
      "yes": "true"
`, graph.String())
}

func TestStringShowsOptionsAndAmbiguousNames(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		if err := twoSites(ctx); err != nil {
			return err
		}
		old := &bucket{}
		if err := ctx.ReadResource("shop:index:Bucket", "old", pulumi.ID("42"), nil, old); err != nil {
			return err
		}
		web, err := newSite(ctx, "main", pulumi.DependsOn([]pulumi.Resource{old}))
		if err != nil {
			return err
		}
		_, err = newBucket(ctx, "logs", nil, pulumi.DependsOn([]pulumi.Resource{web}),
			pulumi.IgnoreChanges([]string{"a", "b"}), pulumi.Import(pulumi.ID("7")), pulumi.RetainOnDelete(true),
			pulumi.Aliases([]pulumi.Alias{
				{Name: pulumi.String("older"), NoParent: pulumi.Bool(true)},
				{Type: pulumi.String("shop:old/v1:Bucket")},
				{Type: pulumi.String("shop:index/v20250101preview:Bucket")}, // another version of the API
			}),
			pulumi.DeletedWith(old), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "5m", Delete: "1m"}))
		return err
	})
	diff(t, `project-stack (update)
  shop:index:Box "box" (component)
    shop:index:Bucket "web-files"
  shop:index:Bucket "logs"
    retain on delete
    deleted with: shop:index:Bucket "old"
    ignore changes: a, b
    import: 7
    timeouts: create 5m, delete 1m
    alias: name older, parent none
    alias: type shop:old/v1:Bucket
    depends on:
      shop:index:Bucket "main-files"
  shop:index:Bucket "old" (read "42")
  shop:index:Site "api" (component)
    outputs:
      endpoint: https://
    shop:index:Bucket "api-files"
      inputs:
        size: 2
  shop:index:Site "main" (component)
    depends on:
      shop:index:Bucket "old"
    outputs:
      endpoint: https://
    shop:index:Bucket "main-files"
      inputs:
        size: 2
  shop:index:Site "web" (component)
    outputs:
      endpoint: https://
    shop:index:Bucket "web-files"
      inputs:
        size: 2
`, graph.String())
}

func TestShortValuesAreOnOneLine(t *testing.T) {
	t.Parallel()
	words := func(n int) pulumi.Input {
		return pulumi.Array{pulumi.String(strings.Repeat("a", n)), pulumi.String("b")}
	}
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := newBucket(ctx, "a", pulumi.Map{
			"commas": pulumi.Array{pulumi.String("a, b"), pulumi.String("c: d"), pulumi.String("1")},
			"deep":   pulumi.Array{pulumi.Map{"b": pulumi.Map{"c": words(1)}}},
			"empty":  pulumi.Array{pulumi.Array{}, pulumi.Map{}},
			"lines":  pulumi.Map{"text": pulumi.String("one\ntwo\n"), "words": words(1)},
			"long":   words(120 - len("      long: [, b]")),
			"longer": words(121 - len("      longer: [, b]")),
		})
		return err
	})
	diff(t, `project-stack (update)
  shop:index:Bucket "a"
    inputs:
      commas: ['a, b', 'c: d', "1"]
      deep:
        - b: {c: [a, b]}
      empty: [[], {}]
      lines:
        text: |
          one
          two
        words: [a, b]
      long: [`+strings.Repeat("a", 103)+`, b]
      longer:
        - `+strings.Repeat("a", 102)+`
        - b
`, graph.String())
}

func TestPlainMergesNothingAndKeepsTypes(t *testing.T) {
	t.Parallel()
	diff(t,
		map[string]any{"n": nil, "b": true, "big": 1e300, "large": 1 << 60, "ref": mocktest.Marker("resource urn:a")},
		mocktest.Plain(resource.PropertyMap{
			"n": resource.NewNullProperty(), "b": resource.NewProperty(true), "big": resource.NewProperty(1e300),
			"large": resource.NewProperty(float64(1 << 60)),
			"ref":   resource.NewProperty(resource.ResourceReference{URN: "urn:a"}),
		}))
}

func TestGraphShowsReplacementTriggersAndHiddenDiffs(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := newBucket(ctx, "logs", pulumi.Map{}, pulumi.ReplacementTrigger(pulumi.String("again")),
			pulumi.HideDiffs([]string{"size"}))
		return err
	})
	logs := graph.Resources()[0]
	if logs.ReplacementTrigger != "again" || !slices.Equal(logs.HideDiffs, []string{"size"}) {
		t.Errorf("the trigger is %v and hidden is %s", logs.ReplacementTrigger, logs.HideDiffs)
	}
	for _, want := range []string{"replacement trigger:\n", "value: again\n", "hide diffs: size\n"} {
		if !strings.Contains(graph.String(), want) {
			t.Errorf("no %q in\n%s", want, graph)
		}
	}
}
