package childoptions_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
)

const (
	token      = "mixedkube:test:Web"
	deployment = "kubernetes:apps/v1:Deployment"
	service    = "kubernetes:core/v1:Service"
	class      = "kubernetes:node.k8s.io/v1:RuntimeClass"
	group      = "kubernetes:yaml/v2:ConfigGroup"
)

// web has its Deployment as its main child; classes has several children, none of which is the main one.
var (
	web = childoptions.Component{
		Token: token, Name: "web",
		Main:   childoptions.Child{Type: deployment, Name: "web-deployment"},
		Others: []childoptions.Child{{Type: service, Name: "web-service"}},
	}
	classes = childoptions.Component{
		Token: token, Name: "classes",
		Others: []childoptions.Child{
			{Type: class, Name: "classes-old"}, {Type: class, Name: "classes:shop/new", Short: "new"},
		},
		Formerly: []string{group},
	}
	empty = childoptions.Component{Token: token, Name: "empty"}
)

// box is a component with its children, as the constructors create them.
type box struct{ pulumi.ResourceState }

type custom struct{ pulumi.CustomResourceState }

func construct(ctx *pulumi.Context, c childoptions.Component, opts ...pulumi.ResourceOption) error {
	split, errs := c.Split(opts)
	if len(errs) > 0 {
		return errs.ToAggregate()
	}
	b := &box{}
	if err := ctx.RegisterComponentResource(c.Token, c.Name, b, split.Component...); err != nil {
		return err
	}
	for _, child := range append([]childoptions.Child{c.Main}, c.Others...) {
		if child.Type == "" {
			continue
		}
		options := split.For(child.Type, child.Name, pulumi.Parent(b), pulumi.Protect(child == c.Main))
		if err := ctx.RegisterResource(child.Type, child.Name, nil, &custom{}, options...); err != nil {
			return err
		}
	}
	return nil
}

// registered returns a component and its children by name, with only their options.
func registered(t *testing.T, c childoptions.Component, opts ...pulumi.ResourceOption) map[string]mocktest.Resource {
	t.Helper()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error { return construct(ctx, c, opts...) })
	all := map[string]mocktest.Resource{}
	for _, r := range graph.Resources() {
		name := r.Name
		r.URN, r.Type, r.Name, r.ID, r.Parent, r.Custom, r.Inputs = "", "", "", "", "", false, nil
		all[name] = r
	}
	return all
}

func aliases(all ...pulumi.Alias) pulumi.ResourceOption { return pulumi.Aliases(all) }

func TestOptionsReachTheirResources(t *testing.T) {
	t.Parallel()
	type resources = map[string]mocktest.Resource
	timeouts := mocktest.CustomTimeouts{Create: "1h"}
	aliased := func(a mocktest.Alias) mocktest.Resource { return mocktest.Resource{Aliases: []mocktest.Alias{a}} }
	protected := func(r mocktest.Resource) mocktest.Resource {
		r.Protect = true
		return r
	}
	for name, tt := range map[string]struct {
		component childoptions.Component
		opts      []pulumi.ResourceOption
		want      resources
	}{
		"none": {web, nil, resources{"web-deployment": {Protect: true}}},
		"what is about one resource": {
			web,
			[]pulumi.ResourceOption{
				pulumi.IgnoreChanges([]string{"spec.replicas"}), pulumi.ReplaceOnChanges([]string{"spec"}),
				pulumi.Import(pulumi.ID("default/web")), pulumi.DeleteBeforeReplace(true),
				pulumi.AdditionalSecretOutputs([]string{"status"}), pulumi.Version("4.0.0"),
				pulumi.PluginDownloadURL("https://example.com"), pulumi.IgnoreChanges([]string{"status"}),
			},
			resources{"web-deployment": {
				Protect: true, IgnoreChanges: []string{"spec.replicas", "status"}, ReplaceOnChanges: []string{"spec"},
				ImportID: "default/web", DeleteBeforeReplace: true, AdditionalSecretOutputs: []string{"status"},
				Version: "4.0.0", PluginDownloadURL: "https://example.com",
			}},
		},
		"timeouts": {
			web,
			[]pulumi.ResourceOption{pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1h"})},
			resources{"web-deployment": {Protect: true, CustomTimeouts: timeouts}},
		},
		"timeouts of all children, where none stands for the component": {
			classes,
			[]pulumi.ResourceOption{pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1h"})},
			resources{"classes-old": {CustomTimeouts: timeouts}, "classes:shop/new": {CustomTimeouts: timeouts}},
		},
		"a protection that is switched off": {
			web, []pulumi.ResourceOption{pulumi.Protect(false)}, resources{},
		},
		"what the engine hands down": {
			web,
			[]pulumi.ResourceOption{pulumi.RetainOnDelete(true), pulumi.Protect(true)},
			resources{
				"web": {RetainOnDelete: true, Protect: true}, "web-deployment": {Protect: true},
				"web-service": {},
			},
		},
		"an alias of the component": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Name: pulumi.String("www")})},
			resources{"web": aliased(mocktest.Alias{Name: "www"}), "web-deployment": {Protect: true}},
		},
		"an alias of a component of somebody's": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String("acme:index:Web")})},
			resources{"web": aliased(mocktest.Alias{Type: "acme:index:Web"}), "web-deployment": {Protect: true}},
		},
		"an alias of a component that it takes the place of": {
			classes,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String(group)})},
			resources{"classes": aliased(mocktest.Alias{Type: group})},
		},
		"a child by its type": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String(deployment)})},
			resources{"web-deployment": protected(
				aliased(mocktest.Alias{Name: "web", Type: deployment, NoParent: true}))},
		},
		"a child by an older version of its type": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String("kubernetes:apps/v1beta1:Deployment")})},
			resources{"web-deployment": protected(
				aliased(mocktest.Alias{Name: "web", Type: "kubernetes:apps/v1beta1:Deployment", NoParent: true}))},
		},
		"another child, under another name and parent": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{
				Type: pulumi.String(service), Name: pulumi.String("front"),
				ParentURN: pulumi.URN("urn:pulumi:stack::project::acme:index:Web::shop"),
			})},
			resources{"web-deployment": {Protect: true}, "web-service": aliased(mocktest.Alias{
				Name: "front", Type: service, Parent: "urn:pulumi:stack::project::acme:index:Web::shop",
			})},
		},
		"a child by a URN": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{
				URN: pulumi.URN("urn:pulumi:stack::project::acme:index:Web$" + deployment + "::www"),
			})},
			resources{"web-deployment": protected(aliased(mocktest.Alias{
				URN: resource.URN("urn:pulumi:stack::project::acme:index:Web$" + deployment + "::www"),
			}))},
		},
		"children by their names": {
			classes,
			[]pulumi.ResourceOption{aliases(
				pulumi.Alias{Type: pulumi.String(class), Name: pulumi.String("old")},
				pulumi.Alias{Type: pulumi.String(class), Name: pulumi.String("new")},
				pulumi.Alias{Name: pulumi.String("all")},
			)},
			resources{
				"classes":          aliased(mocktest.Alias{Name: "all"}),
				"classes-old":      aliased(mocktest.Alias{Name: "old", Type: class, NoParent: true}),
				"classes:shop/new": aliased(mocktest.Alias{Name: "new", Type: class, NoParent: true}),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := registered(t, tt.component, tt.opts...)
			for name := range got {
				if _, ok := tt.want[name]; !ok {
					tt.want[name] = mocktest.Resource{}
				}
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAliasesOfChildrenUseTheParentOfTheComponent(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		above := &box{}
		if err := ctx.RegisterComponentResource("acme:index:Shop", "shop", above); err != nil {
			return err
		}
		return construct(ctx, web, pulumi.Parent(above), aliases(pulumi.Alias{Type: pulumi.String(deployment)}))
	})
	child, err := graph.Get(deployment, "web-deployment")
	if err != nil {
		t.Fatal(err)
	}
	want := []mocktest.Alias{{
		Name: "web", Type: deployment, Parent: "urn:pulumi:stack::project::acme:index:Shop::shop",
	}}
	if diff := cmp.Diff(want, child.Aliases); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
}

// The plugin registers its component itself, below the one here, and Pulumi passes it no aliases for that.
func TestAnAliasReachesAComponentOfAPluginInATransform(t *testing.T) {
	t.Parallel()
	const chart = "kubernetes:helm.sh/v4:Chart"
	c := childoptions.Component{
		Token: token, Name: "shop", Others: []childoptions.Child{
			{Type: chart, Name: "shop-chart", Component: true}, {Type: chart, Name: "shop-other", Component: true},
		},
	}
	got := registered(t, c, aliases(
		pulumi.Alias{Type: pulumi.String(chart), Name: pulumi.String("chart")}, pulumi.Alias{Name: pulumi.String("a")},
	))
	want := map[string][]mocktest.Alias{
		"shop": {{Name: "a"}}, "shop-chart": {{Name: "chart", Type: chart, NoParent: true}}, "shop-other": nil,
	}
	for name, want := range want {
		if diff := cmp.Diff(want, got[name].Aliases); diff != "" {
			t.Errorf("aliases of %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTimeoutsReachNoComponentOfAPlugin(t *testing.T) {
	t.Parallel()
	c := childoptions.Component{
		Token: token, Name: "shop",
		Others: []childoptions.Child{{Type: "a:b:Chart", Name: "shop-chart", Component: true}},
	}
	option := []pulumi.ResourceOption{pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1h"})}
	if _, errs := c.Split(option); len(errs) != 1 || errs[0].Field != "opts.customTimeouts" {
		t.Errorf("the errors are %v, want one about opts.customTimeouts", errs)
	}
	c.PassesTimeouts = true
	split, errs := c.Split(option)
	if len(errs) > 0 || split.Timeouts.Create != "1h" {
		t.Errorf("where the constructor passes them on they are %v, with the errors %v", split.Timeouts, errs)
	}
}

func TestTheComponentHasDefaultTimeouts(t *testing.T) {
	t.Parallel()
	c := web
	c.Timeouts = pulumi.CustomTimeouts{Create: "30m", Update: "30m"}
	want := map[string]mocktest.CustomTimeouts{"": {Create: "30m", Update: "30m"}, "1h": {Create: "1h", Update: "30m"}}
	for create, want := range want {
		got := registered(t, c, pulumi.Timeouts(&pulumi.CustomTimeouts{Create: create}))["web-deployment"]
		if diff := cmp.Diff(want, got.CustomTimeouts); diff != "" {
			t.Errorf("with %q (-want +got):\n%s", create, diff)
		}
	}
}

func TestAnOptionThatReachesNothingIsAnError(t *testing.T) {
	t.Parallel()
	const about = "applies to a single resource: set it for one of the children in a transform (pulumi.Transforms)"
	for name, tt := range map[string]struct {
		component childoptions.Component
		opts      []pulumi.ResourceOption
		want      string
	}{
		"no main child": {
			classes,
			[]pulumi.ResourceOption{
				pulumi.Import(pulumi.ID("a")), pulumi.IgnoreChanges([]string{"a"}), pulumi.Version("1.0.0"),
			},
			"[opts.import: Forbidden: " + about + ", opts.ignoreChanges: Forbidden: " + about +
				", opts.version: Forbidden: " + about + "]",
		},
		"no child at all": {
			empty,
			[]pulumi.ResourceOption{pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1h"})},
			"opts.customTimeouts: Forbidden: " + about,
		},
		"an option of other resources": {
			web,
			[]pulumi.ResourceOption{pulumi.URN_("urn:pulumi:stack::project::" + token + "::web")},
			"opts.urn: Forbidden: has no effect on a component: remove it",
		},
		"an alias of a resource that no child is": {
			web,
			[]pulumi.ResourceOption{
				aliases(pulumi.Alias{Name: pulumi.String("www")}),
				aliases(pulumi.Alias{Type: pulumi.String("kubernetes:core/v1:Pod")}),
			},
			`opts.aliases[1].type: Invalid value: "kubernetes:core/v1:Pod": is not the type of a child, and the ` +
				`component would take over the state of that resource: write that of kubernetes:apps/v1:Deployment ` +
				`"web-deployment", kubernetes:core/v1:Service "web-service", or set the alias in a transform ` +
				`(pulumi.Transforms)`,
		},
		"an alias of any child": {
			empty,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String(service)})},
			`opts.aliases[0].type: Invalid value: "kubernetes:core/v1:Service": is not the type of a child, and the ` +
				`component would take over the state of that resource: set the alias in a transform ` +
				`(pulumi.Transforms)`,
		},
		"an alias that may be of several children": {
			classes,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String(class)})},
			`opts.aliases[0]: Invalid value: "classes": may be any of kubernetes:node.k8s.io/v1:RuntimeClass ` +
				`"classes-old", kubernetes:node.k8s.io/v1:RuntimeClass "classes:shop/new": name it as the child ` +
				`that it becomes, or set the alias in a transform (pulumi.Transforms)`,
		},
		"no URN": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{URN: pulumi.URN("web")})},
			`opts.aliases[0].urn: Invalid value: "web": is not a URN: write one as ` +
				"`pulumi stack --show-urns` shows it",
		},
		"an output": {
			web,
			[]pulumi.ResourceOption{aliases(pulumi.Alias{Type: pulumi.String(service).ToStringOutput()})},
			`opts.aliases[0].type: Invalid value: "an output": decides which resource has the alias: ` +
				`write a plain string`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, errs := tt.component.Split(tt.opts)
			if len(errs) == 0 {
				t.Fatal("there is no error")
			}
			if diff := cmp.Diff(tt.want, errs.ToAggregate().Error()); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEachWrongOptionIsReported(t *testing.T) {
	t.Parallel()
	_, errs := classes.Split([]pulumi.ResourceOption{pulumi.Composite(
		pulumi.Import(pulumi.ID("a")), aliases(pulumi.Alias{Type: pulumi.String(service)}),
	)})
	var fields []string
	for _, err := range errs {
		fields = append(fields, err.Field)
	}
	if diff := cmp.Diff([]string{"opts.aliases[0].type", "opts.import"}, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}
