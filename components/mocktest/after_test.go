package mocktest_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// thing is a resource of any type.
type thing struct {
	pulumi.CustomResourceState

	Spec   pulumi.MapOutput    `pulumi:"spec"`
	Name   pulumi.StringOutput `pulumi:"name"`
	Output pulumi.StringOutput `pulumi:"output"`
	Status pulumi.StringOutput `pulumi:"status"`
}

func newThing(
	ctx *pulumi.Context, typ, name string, props pulumi.Map, options ...pulumi.ResourceOption,
) (*thing, error) {
	r := &thing{}
	return r, ctx.RegisterResource(typ, name, props, r, options...)
}

// one returns a program with one resource.
func one(typ, name string, props pulumi.Map, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := newThing(ctx, typ, name, props, options...)
		return err
	}
}

func none(*pulumi.Context) error { return nil }

// status is what a provider adds to each resource.
var status = mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
	return resource.PropertyMap{"status": prop("ready " + r.ID)}
})

// changed runs the two programs, the second one as a preview of a change.
func changed(t *testing.T, before, after pulumi.RunFunc, options ...mocktest.Option) (string, error) {
	t.Helper()
	earlier := mocktest.MustRun(t, before, append([]mocktest.Option{status}, options...)...)
	options = append([]mocktest.Option{mocktest.Preview(), mocktest.After(earlier)}, options...)
	graph, err := mocktest.Run(after, options...)
	return graph.Changes().String(), err
}

const (
	deployment = "kubernetes:apps/v1:Deployment"
	configMap  = "kubernetes:core/v1:ConfigMap"
	agentPool  = "azure-native:containerservice:AgentPool"
	stackURN   = "urn:pulumi:stack::project::"
)

func str(s string) pulumi.String { return pulumi.String(s) }

// web returns a Deployment with a selector and a number of replicas.
func web(app string, replicas int, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return one(deployment, "web", pulumi.Map{
		"metadata": pulumi.Map{"name": str("web")},
		"spec":     pulumi.Map{"replicas": pulumi.Int(replicas), "selector": pulumi.StringMap{"app": str(app)}},
	}, options...)
}

// pool returns an AKS node pool.
func pool(size string, count int, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return one(agentPool, "win22", pulumi.Map{
		"agentPoolName": str("win22d"), "vmSize": str(size), "count": pulumi.Int(count),
	}, options...)
}

const selectorWhy = `    spec.selector.app: "a" → "b"
    because spec.selector.app: kubernetes replaces it for a change of spec.selector
`

func TestChangesOfOneResource(t *testing.T) {
	t.Parallel()
	secret := func(v string) pulumi.RunFunc {
		return one(configMap, "c", pulumi.Map{"data": pulumi.Map{"key": pulumi.ToSecret(str(v))}})
	}
	bucket := func(size int, options ...pulumi.ResourceOption) pulumi.RunFunc {
		return one("shop:index:Bucket", "b", pulumi.Map{"size": pulumi.Int(size)}, options...)
	}
	ignore := func(paths ...string) pulumi.ResourceOption { return pulumi.IgnoreChanges(paths) }
	containers := func(images ...string) pulumi.RunFunc {
		list := pulumi.Array{}
		for _, image := range images {
			list = append(list, pulumi.Map{"image": str(image), "name": str("c")})
		}
		return one(deployment, "web", pulumi.Map{"spec": pulumi.Map{"containers": list}},
			ignore("spec.containers[*].image"))
	}
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
	}{
		"nothing changes": {web("a", 1), web("a", 1), ""},
		"it is new":       {none, web("a", 1), "+ kubernetes:apps/v1:Deployment \"web\": create\n"},
		"it is deleted":   {web("a", 1), none, "- kubernetes:apps/v1:Deployment \"web\": delete\n"},
		"it is deleted and retained": {
			web("a", 1, pulumi.RetainOnDelete(true)), none,
			"- kubernetes:apps/v1:Deployment \"web\": delete, retained\n",
		},
		"in place": {web("a", 1), web("a", 2), `~ kubernetes:apps/v1:Deployment "web": update
    spec.replicas: 1 → 2
`},
		"an immutable field, and a name of the program": {
			web("a", 1), web("b", 1),
			"± kubernetes:apps/v1:Deployment \"web\": replace, the old one goes first\n" + selectorWhy,
		},
		"the program says which one comes first": {
			web("a", 1), web("b", 1, pulumi.DeleteBeforeReplace(false)),
			"± kubernetes:apps/v1:Deployment \"web\": replace, the new one comes first\n" + selectorWhy,
		},
		"a pool of another size": {
			pool("a", 1), pool("b", 1, pulumi.DeleteBeforeReplace(false)),
			`± azure-native:containerservice:AgentPool "win22": replace, the new one comes first
    vmSize: "a" → "b"
    because vmSize: azure-native replaces it for a change of vmSize
`,
		},
		"more nodes": {pool("a", 1), pool("a", 2), `~ azure-native:containerservice:AgentPool "win22": update
    count: 1 → 2
`},
		"ReplaceOnChanges": {
			pool("a", 1), pool("a", 2, pulumi.ReplaceOnChanges([]string{"count"})),
			`± azure-native:containerservice:AgentPool "win22": replace, the old one goes first
    count: 1 → 2
    because count: matches ReplaceOnChanges
`,
		},
		"ReplaceOnChanges of all, and nothing changes": {
			pool("a", 1), pool("a", 1, pulumi.ReplaceOnChanges([]string{"*"})), "",
		},
		"IgnoreChanges":                {pool("a", 1), pool("b", 2, ignore("vmSize", "count")), ""},
		"IgnoreChanges of every image": {containers("a", "b"), containers("c", "d"), ""},
		"IgnoreChanges of what is new: pulumi-kubernetes ignores it, too": {
			web("a", 1), one(deployment, "web", pulumi.Map{
				"metadata": pulumi.Map{"name": str("web")},
				"spec": pulumi.Map{
					"replicas": pulumi.Int(1), "selector": pulumi.StringMap{"app": str("a")},
					"paused": pulumi.Bool(true),
				},
			}, ignore("spec.paused")), "",
		},
		"an unknown provider": {bucket(1), bucket(2), `? shop:index:Bucket "b": changed, replacement not known
    size: 1 → 2
`},
		"ReplaceOnChanges of an unknown provider": {
			bucket(1), bucket(2, pulumi.ReplaceOnChanges([]string{"size"})),
			`± shop:index:Bucket "b": replace, the new one comes first
    size: 1 → 2
    because size: matches ReplaceOnChanges
`,
		},
		"DeleteBeforeReplace": {
			bucket(1), bucket(2, pulumi.ReplaceOnChanges([]string{"size"}), pulumi.DeleteBeforeReplace(true)),
			`± shop:index:Bucket "b": replace, the old one goes first
    size: 1 → 2
    because size: matches ReplaceOnChanges
`,
		},
		"RetainOnDelete": {
			bucket(1, pulumi.RetainOnDelete(true)), bucket(2, pulumi.ReplaceOnChanges([]string{"size"})),
			`± shop:index:Bucket "b": replace, the new one comes first, retained
    size: 1 → 2
    because size: matches ReplaceOnChanges
`,
		},
		"a trigger": {
			bucket(1, pulumi.ReplacementTrigger(str("a"))), bucket(1, pulumi.ReplacementTrigger(str("b"))),
			`± shop:index:Bucket "b": replace, the new one comes first
    because ReplacementTrigger has changed
`,
		},
		"a trigger that stays": {
			bucket(1, pulumi.ReplacementTrigger(str("a"))), bucket(1, pulumi.ReplacementTrigger(str("a"))), "",
		},
		"a trigger that is new": {bucket(1), bucket(1, pulumi.ReplacementTrigger(str("b"))), ""},
		"a secret stays":        {secret("hidden-1"), secret("hidden-1"), ""},
		"what becomes secret only": {
			one(configMap, "c", pulumi.Map{"data": pulumi.Map{"key": str("a")}}), secret("a"), "",
		},
		"a secret changes": {
			secret("hidden-1"), secret("hidden-2"),
			`± kubernetes:core/v1:ConfigMap "c": replace, the new one comes first
    data.key: [secret] → [secret]
    because data.key: kubernetes replaces it for a change of data
`,
		},
		"a value that becomes a secret": {
			one(configMap, "c", pulumi.Map{"data": pulumi.Map{"key": str("hidden-1")}}), secret("hidden-2"),
			`± kubernetes:core/v1:ConfigMap "c": replace, the new one comes first
    data.key: [secret] → [secret]
    because data.key: kubernetes replaces it for a change of data
`,
		},
		"what is not known": {
			one(configMap, "c", pulumi.Map{"immutable": pulumi.Bool(true)}),
			one(configMap, "c", pulumi.Map{"immutable": mocktest.Unknown[pulumi.BoolOutput]()}),
			`~ kubernetes:core/v1:ConfigMap "c": update
    immutable: true → [unknown]
`,
		},
		"values of all kinds": {
			one(configMap, "c", pulumi.Map{"a": str("x"), "gone": pulumi.Map{"x": pulumi.Int(1)}}),
			one(configMap, "c", pulumi.Map{"a": pulumi.Array{str("x"), pulumi.Bool(true)}, "new": pulumi.Float64(0.5)}),
			`~ kubernetes:core/v1:ConfigMap "c": update
    a: "x" → ["x", true]
    gone: {x: 1} → nothing
    new: nothing → 0.5
`,
		},
		"an import of the same one": {
			bucket(1, pulumi.Import(pulumi.ID("x"))), bucket(1, pulumi.Import(pulumi.ID("x"))), "",
		},
		"an import of a new one": {
			none, bucket(1, pulumi.Import(pulumi.ID("x"))), "= shop:index:Bucket \"b\": import\n",
		},
		"an import of another one": {
			bucket(1), bucket(1, pulumi.Import(pulumi.ID("x"))),
			`± shop:index:Bucket "b": replace, the new one comes first
    because the program imports "x" in its place
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := changed(t, x.before, x.after)
			diff(t, "", text(err))
			diff(t, x.want, got)
			if strings.Contains(got, "hidden") {
				t.Error("a secret shows")
			}
		})
	}
}

func TestProgramsThatTheEngineRefusesFailTheRun(t *testing.T) {
	t.Parallel()
	const urn = stackURN + deployment + "::web"
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
	}{
		"a protected resource is replaced": {
			web("a", 1, pulumi.Protect(true)), web("b", 1, pulumi.Protect(true)),
			`mocktest: unable to replace resource "` + urn + `" as it is currently marked for protection. ` +
				"To unprotect the resource, remove the `protect` flag from the resource in your Pulumi program and " +
				"run `pulumi up`",
		},
		"one that is protected no longer is replaced":   {web("a", 1, pulumi.Protect(true)), web("b", 1), ""},
		"one that is protected from now on is replaced": {web("a", 1), web("b", 1, pulumi.Protect(true)), ""},
		"a protected resource changes in place": {
			web("a", 1, pulumi.Protect(true)), web("a", 2, pulumi.Protect(true)), "",
		},
		"a protected resource is deleted": {
			web("a", 1, pulumi.Protect(true)), none,
			`mocktest: resource "` + urn + `" cannot be deleted because it is protected. ` +
				"To unprotect the resource, either remove the `protect` flag from the resource in your Pulumi " +
				"program and run `pulumi up`, " +
				"or use the command: `pulumi state unprotect '" + urn + "'`",
		},
		"an import is replaced": {
			web("a", 1, pulumi.Import(pulumi.ID("x"))), web("b", 1, pulumi.Import(pulumi.ID("x"))),
			`mocktest: kubernetes:apps/v1:Deployment "web": previously-imported resources that still specify ` +
				"an ID may not be replaced; please remove the `import` declaration from your program",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := changed(t, x.before, x.after)
			diff(t, x.want, text(err))
		})
	}
}
