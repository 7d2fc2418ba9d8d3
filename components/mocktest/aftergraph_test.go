package mocktest_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// box returns a component with a Deployment in it.
func box(name, child string, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		b := &pulumi.ResourceState{}
		if err := ctx.RegisterComponentResource("shop:index:Box", name, b, options...); err != nil {
			return err
		}
		_, err := newThing(ctx, deployment, child, nil, pulumi.Parent(b))
		return err
	}
}

func plainDeployment(name string, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return one(deployment, name, nil, options...)
}

func aliases(a ...pulumi.Alias) pulumi.ResourceOption { return pulumi.Aliases(a) }

func TestAliasesAreFollowed(t *testing.T) {
	t.Parallel()
	const (
		boxed  = stackURN + "shop:index:Box$" + deployment + "::web"
		wasWeb = `  kubernetes:apps/v1:Deployment "site": same, was ` + stackURN + deployment + "::web\n"
	)
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
	}{
		"another name, and no alias": {
			plainDeployment("web"), plainDeployment("site"),
			`+ kubernetes:apps/v1:Deployment "site": create
- kubernetes:apps/v1:Deployment "web": delete
`,
		},
		"a URN": {plainDeployment("web"), plainDeployment("site",
			aliases(pulumi.Alias{URN: pulumi.URN(stackURN + deployment + "::web")})), wasWeb},
		"a name": {plainDeployment("web"), plainDeployment("site", aliases(pulumi.Alias{Name: str("web")})), wasWeb},
		"a type": {
			one("kubernetes:extensions/v1beta1:Deployment", "web", nil),
			plainDeployment("web", aliases(pulumi.Alias{Type: str("kubernetes:extensions/v1beta1:Deployment")})),
			`  kubernetes:apps/v1:Deployment "web": same, was ` + stackURN +
				"kubernetes:extensions/v1beta1:Deployment::web\n",
		},
		"a stack and a project": {
			plainDeployment("web"),
			plainDeployment("web", aliases(pulumi.Alias{Stack: str("old"), Project: str("older")})), "",
		},
		"one of several": {plainDeployment("web"), plainDeployment("site",
			aliases(pulumi.Alias{Name: str("api")}, pulumi.Alias{Name: str("web")})), wasWeb},
		"the URN itself wins": {
			plainDeployment("web"), plainDeployment("web", aliases(pulumi.Alias{Name: str("api")})), "",
		},
		"into a component": {plainDeployment("web"), func(ctx *pulumi.Context) error {
			b := &pulumi.ResourceState{}
			if err := ctx.RegisterComponentResource("shop:index:Box", "box", b); err != nil {
				return err
			}
			_, err := newThing(ctx, deployment, "web", nil, pulumi.Parent(b),
				aliases(pulumi.Alias{NoParent: pulumi.Bool(true)}))
			return err
		}, `  kubernetes:apps/v1:Deployment "web": same, was ` + stackURN + deployment + `::web
+ shop:index:Box "box": create
`},
		"out of a component": {
			box("box", "web"), plainDeployment("web",
				aliases(pulumi.Alias{ParentURN: pulumi.URN(stackURN + "shop:index:Box::box")})),
			`  kubernetes:apps/v1:Deployment "web": same, was ` + boxed + "\n- shop:index:Box \"box\": delete\n",
		},
		"children follow a parent, and its name in theirs": {
			box("shop", "shop-web"), box("store", "store-web", aliases(pulumi.Alias{Name: str("shop")})),
			`  kubernetes:apps/v1:Deployment "store-web": same, was ` + stackURN + "shop:index:Box$" +
				deployment + `::shop-web
  shop:index:Box "store": same, was ` + stackURN + "shop:index:Box::shop\n",
		},
		"a parent under another parent": {
			box("box", "web"), func(ctx *pulumi.Context) error {
				outer, inner := &pulumi.ResourceState{}, &pulumi.ResourceState{}
				if err := ctx.RegisterComponentResource("shop:index:Mall", "mall", outer); err != nil {
					return err
				}
				if err := ctx.RegisterComponentResource("shop:index:Box", "box", inner, pulumi.Parent(outer),
					aliases(pulumi.Alias{NoParent: pulumi.Bool(true)})); err != nil {
					return err
				}
				_, err := newThing(ctx, deployment, "web", nil, pulumi.Parent(inner))
				return err
			}, `  kubernetes:apps/v1:Deployment "web": same, was ` + boxed + `
  shop:index:Box "box": same, was ` + stackURN + `shop:index:Box::box
+ shop:index:Mall "mall": create
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := changed(t, x.before, x.after)
			diff(t, "", text(err))
			diff(t, x.want, got)
		})
	}
	_, err := changed(t, plainDeployment("web"), func(ctx *pulumi.Context) error {
		was := aliases(pulumi.Alias{Name: str("web")})
		return errors.Join(plainDeployment("a", was)(ctx), plainDeployment("b", was)(ctx))
	})
	diff(t, "mocktest: "+stackURN+deployment+"::web: two resources have this URN or an alias for it: "+
		stackURN+deployment+"::a and "+stackURN+deployment+"::b: remove an alias", text(err))
}

// chain returns a pool, and a ConfigMap and a Deployment with inputs from it.
func chain(pool pulumi.Map, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		first, err := newThing(ctx, agentPool, "pool", pool, options...)
		if err != nil {
			return err
		}
		for typ, props := range map[string]pulumi.Map{
			configMap:  {"data": pulumi.Map{"id": first.ID(), "status": first.Status}},
			deployment: {"spec": pulumi.Map{"paused": first.Status}},
		} {
			if _, err := newThing(ctx, typ, "of-pool", props); err != nil {
				return err
			}
		}
		ctx.Export("id", first.ID())
		ctx.Export("name", first.Name)
		ctx.Export("status", first.Status)
		return nil
	}
}

func TestOutputsOfReplacedResourcesAreUnknown(t *testing.T) {
	t.Parallel()
	named := func(size string, count int) pulumi.Map {
		return pulumi.Map{"agentPoolName": str("win22"), "vmSize": str(size), "count": pulumi.Int(count)}
	}
	const unknown = mocktest.UnknownValue
	for name, x := range map[string]struct {
		after   pulumi.RunFunc
		want    string
		exports map[string]any
	}{
		"it stays": {
			chain(named("a", 1)), "", map[string]any{"id": "pool-id", "name": unknown, "status": "ready pool-id"},
		},
		// In the preview of an update azure-native returns no outputs except the name and the location. So the objects
		// change in the preview, too: the engine does not have more information.
		"it changes in place": {chain(named("a", 2)), `~ azure-native:containerservice:AgentPool "pool": update
    count: 1 → 2
± kubernetes:core/v1:ConfigMap "of-pool": replace, the new one comes first
    data.status: "ready pool-id" → [unknown]
    because data.status: kubernetes replaces it for a change of data
~ kubernetes:apps/v1:Deployment "of-pool": update
    spec.paused: "ready pool-id" → [unknown]
`, map[string]any{"id": "pool-id", "name": unknown, "status": unknown}},
		"it is replaced": {
			chain(named("b", 1)),
			`± azure-native:containerservice:AgentPool "pool": replace, the old one goes first
    vmSize: "a" → "b"
    because vmSize: azure-native replaces it for a change of vmSize
± kubernetes:core/v1:ConfigMap "of-pool": replace, the old one goes first
` + because + `~ kubernetes:apps/v1:Deployment "of-pool": update
    spec.paused: "ready pool-id" → [unknown]
`,
			map[string]any{"id": unknown, "name": unknown, "status": unknown},
		},
		"it is replaced, and the new one comes first": {
			chain(named("b", 1), pulumi.DeleteBeforeReplace(false)),
			`± azure-native:containerservice:AgentPool "pool": replace, the new one comes first
    vmSize: "a" → "b"
    because vmSize: azure-native replaces it for a change of vmSize
± kubernetes:core/v1:ConfigMap "of-pool": replace, the new one comes first
    data.id: "pool-id" → [unknown]
    data.status: "ready pool-id" → [unknown]
    because data.id: kubernetes replaces it for a change of data
    because data.status: kubernetes replaces it for a change of data
~ kubernetes:apps/v1:Deployment "of-pool": update
    spec.paused: "ready pool-id" → [unknown]
`,
			map[string]any{"id": unknown, "name": unknown, "status": unknown},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, chain(named("a", 1)), status)
			graph := mocktest.MustRun(t, x.after, mocktest.Preview(), mocktest.After(earlier))
			diff(t, x.want, sortedText(graph.Changes()))
			diff(t, x.exports, mocktest.Plain(graph.Exports()))
		})
	}
}

// because is the reason for resources that are deleted with the pool.
const because = "    because it depends on " + stackURN + agentPool +
	"::pool, which is deleted before its replacement is created\n"

// sortedText returns the text of the changes, those of the pool first.
func sortedText(c mocktest.Changes) string {
	return c.OfType(agentPool).String() + c.OfType(configMap).String() + c.OfType(deployment).String()
}

func TestAnObjectInAClusterKeepsItsOutputsInAPreview(t *testing.T) {
	t.Parallel()
	program := func(replicas pulumi.Input, more pulumi.Map) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			props := pulumi.Map{"spec": pulumi.Map{"replicas": replicas}}
			maps.Copy(props, more)
			d, err := newThing(ctx, deployment, "web", props)
			ctx.Export("status", d.Status)
			ctx.Export("spec", d.Spec)
			ctx.Export("name", d.Name)
			return err
		}
	}
	earlier := mocktest.MustRun(t, program(pulumi.Int(1), pulumi.Map{"name": str("gone")}), status)
	for name, x := range map[string]struct {
		after pulumi.RunFunc
		want  map[string]any
	}{
		"with known inputs": {program(pulumi.Int(2), nil), map[string]any{
			"status": "ready web-id", "spec": map[string]any{"replicas": 2}, "name": mocktest.UnknownValue,
		}},
		"with an unknown one": {program(mocktest.Unknown[pulumi.IntOutput](), nil), map[string]any{
			"status": mocktest.UnknownValue, "spec": mocktest.UnknownValue, "name": mocktest.UnknownValue,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, x.after, mocktest.Preview(), mocktest.After(earlier))
			diff(t, x.want, mocktest.Plain(graph.Exports()))
		})
	}
}

// A resource that is deleted first takes its dependents with it, unless they are protected.
func TestProtectedDependentsPreventDeletion(t *testing.T) {
	t.Parallel()
	program := func(size string, options ...pulumi.ResourceOption) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			first, err := newThing(ctx, agentPool, "pool", pulumi.Map{"agentPoolName": str("a"), "vmSize": str(size)})
			if err != nil {
				return err
			}
			second, err := newThing(ctx, configMap, "first", pulumi.Map{"data": first.ID()}, options...)
			if err != nil {
				return err
			}
			_, err = newThing(ctx, configMap, "second", pulumi.Map{"data": second.ID()})
			return err
		}
	}
	got, err := changed(t, program("a"), program("b"))
	diff(t, "", text(err))
	diff(t, `± azure-native:containerservice:AgentPool "pool": replace, the old one goes first
    vmSize: "a" → "b"
    because vmSize: azure-native replaces it for a change of vmSize
± kubernetes:core/v1:ConfigMap "first": replace, the old one goes first
`+because+`± kubernetes:core/v1:ConfigMap "second": replace, the old one goes first
`+because, got)
	_, err = changed(t, program("a", pulumi.Protect(true)), program("b"))
	diff(t, `mocktest: unable to replace resource "`+stackURN+configMap+`::first" as part of replacing "`+stackURN+
		agentPool+`::pool" as it is currently marked for protection. To unprotect the resource, remove the `+
		"`protect` flag from the resource in your Pulumi program and run `pulumi up`, or use the command: "+
		"`pulumi state unprotect '"+stackURN+configMap+"::first'`", text(err))
}

func TestReplaceWith(t *testing.T) {
	t.Parallel()
	program := func(size string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			first, err := newThing(ctx, agentPool, "pool", pulumi.Map{"vmSize": str(size)},
				pulumi.DeleteBeforeReplace(false))
			if err != nil {
				return err
			}
			_, err = newThing(ctx, configMap, "c", nil, pulumi.ReplaceWith([]pulumi.Resource{first}))
			return err
		}
	}
	got, err := changed(t, program("a"), program("b"))
	diff(t, "", text(err))
	diff(t, `± azure-native:containerservice:AgentPool "pool": replace, the new one comes first
    vmSize: "a" → "b"
    because vmSize: azure-native replaces it for a change of vmSize
± kubernetes:core/v1:ConfigMap "c": replace, the new one comes first
    because `+stackURN+agentPool+`::pool is replaced, and the option ReplaceWith names it
`, got)
}

// An update after an update: a new resource has another ID than the one that it replaces, and an unchanged resource has
// the state of the first update.
func TestAnUpdateAfterAnUpdate(t *testing.T) {
	t.Parallel()
	program := func(size string, count int) pulumi.RunFunc {
		return chain(pulumi.Map{"vmSize": str(size), "count": pulumi.Int(count)},
			pulumi.IgnoreChanges([]string{"count"}))
	}
	first := mocktest.MustRun(t, program("a", 1), status)
	second := mocktest.MustRun(t, program("b", 2), mocktest.After(first), status)
	diff(t, any("pool-id-2"), mocktest.Plain(second.Exports())["id"])
	diff(t, any("ready pool-id-2"), mocktest.Plain(second.Exports())["status"])
	// The state has the ignored number of the first update, and the third number is ignored again.
	third := mocktest.MustRun(t, program("b", 3), mocktest.After(second), mocktest.Preview())
	diff(t, "", third.Changes().String())
	diff(t, any("pool-id-2"), mocktest.Plain(third.Exports())["id"])
	diff(t, 3, len(third.Changes().Ops(mocktest.OpSame)))
}

func TestChangesWithoutAnEarlierRun(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		return errors.Join(plainDeployment("web")(ctx),
			one("shop:index:Bucket", "b", nil, pulumi.Import(pulumi.ID("x")))(ctx),
			ctx.ReadResource(configMap, "c", pulumi.ID("c"), nil, &thing{}))
	})
	diff(t, `+ kubernetes:apps/v1:Deployment "web": create
> kubernetes:core/v1:ConfigMap "c": read
= shop:index:Bucket "b": import
`, graph.Changes().String())
}

// Pulumi deletes at the end, and a program that fails does not get there.
func TestAProgramThatFailsDeletesNothing(t *testing.T) {
	t.Parallel()
	got, err := changed(t, web("a", 1), func(*pulumi.Context) error { return errors.New("no") })
	diff(t, "no", text(err))
	diff(t, "", got)
}

func TestRemoved(t *testing.T) {
	t.Parallel()
	program := func(names ...string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			var all []error
			for _, name := range names {
				all = append(all, one("shop:index:Bucket", name, pulumi.Map{"size": pulumi.Int(len(names))},
					pulumi.RetainOnDelete(name == "left"))(ctx))
			}
			return errors.Join(append(all, plainDeployment(names[0])(ctx))...)
		}
	}
	earlier := mocktest.MustRun(t, program("a", "b", "left"))
	changes := mocktest.MustRun(t, program("a"), mocktest.After(earlier), mocktest.Preview()).Changes()
	diff(t, `? shop:index:Bucket "a": changed, replacement not known
    size: 3 → 1
- shop:index:Bucket "b": delete
`, changes.Removed().String())
	diff(t, 0, len(changes.OfType(deployment).Removed()))
}

func TestAnEarlierPreviewIsRefused(t *testing.T) {
	t.Parallel()
	earlier := mocktest.MustRun(t, none, mocktest.Preview())
	_, err := mocktest.Run(none, mocktest.After(earlier))
	diff(t, "mocktest: After needs the graph of an update, in which outputs are known: "+
		"run the earlier program without Preview", text(err))
}

func TestSecretsOfOutputs(t *testing.T) {
	t.Parallel()
	program := func(ctx *pulumi.Context) error {
		b, err := newBucket(ctx, "b", pulumi.Map{"key": str("hidden")}, pulumi.AdditionalSecretOutputs([]string{"key"}))
		ctx.Export("key", b.Key)
		return err
	}
	earlier := mocktest.MustRun(t, program)
	graph := mocktest.MustRun(t, program, mocktest.After(earlier), mocktest.Preview())
	diff(t, map[string]any{"key": mocktest.SecretValue}, mocktest.Plain(graph.Exports()))
	diff(t, resource.MakeSecret(prop("hidden")), graph.Exports()["key"])
}

// If the program declares an output as secret, no text shows it, even if it is a plain input.
func TestASecretOutputIsHiddenAsAnInput(t *testing.T) {
	t.Parallel()
	secret := pulumi.AdditionalSecretOutputs([]string{"key"})
	program := func(key string, options ...pulumi.ResourceOption) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			b := &pulumi.ResourceState{}
			if err := ctx.RegisterComponentResource("shop:index:Box", "box", b, secret); err != nil {
				return err
			}
			_, err := newThing(ctx, configMap, "c", pulumi.Map{"key": pulumi.Map{"a": str(key)}}, options...)
			return errors.Join(err, ctx.RegisterResourceOutputs(b, pulumi.Map{"key": str(key)}))
		}
	}
	for name, x := range map[string]struct{ before, after pulumi.RunFunc }{
		"in both runs":      {program("hidden-1", secret), program("hidden-2", secret)},
		"in the first run":  {program("hidden-1", secret), program("hidden-2")},
		"in the second run": {program("hidden-1"), program("hidden-2", secret)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := mocktest.MustRun(t, x.before)
			changes := mocktest.MustRun(t, x.after, mocktest.After(earlier), mocktest.Preview()).Changes()
			diff(t, "~ kubernetes:core/v1:ConfigMap \"c\": update\n    key.a: [secret] → [secret]\n", changes.String())
			diff(t, any(mocktest.SecretValue), changes.OfType(configMap)[0].Differences[0].After)
		})
	}
	graph := mocktest.MustRun(t, program("hidden", secret))
	diff(t, `project-stack (update)
  kubernetes:core/v1:ConfigMap "c"
    additional secret outputs: key
    inputs:
      key: [secret]
  shop:index:Box "box" (component)
    additional secret outputs: key
    outputs:
      key: [secret]
`, graph.String())
	diff(t, graph.String(), reread(t, graph).String())
	// The file also hides the values that IgnoreChanges has retained.
	ignoring := program("hidden-2", secret, pulumi.IgnoreChanges([]string{"key"}))
	reread(t, mocktest.MustRun(t, ignoring, mocktest.After(graph)))
}
