package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// resourceOption is a resource option, by its name in other languages.
type resourceOption struct {
	name string
	// option creates the option. It can register the resource that the option refers to.
	option func(ctx *pulumi.Context) (pulumi.ResourceOption, error)
}

// simply returns a function for an option that does not refer to another resource.
func simply(o pulumi.ResourceOption) func(*pulumi.Context) (pulumi.ResourceOption, error) {
	return func(*pulumi.Context) (pulumi.ResourceOption, error) { return o, nil }
}

// withOther returns a function for an option that refers to another resource.
func withOther(of func(pulumi.Resource) pulumi.ResourceOption) func(*pulumi.Context) (pulumi.ResourceOption, error) {
	return func(ctx *pulumi.Context) (pulumi.ResourceOption, error) {
		other, err := corev1.NewNamespace(ctx, "other", &corev1.NamespaceArgs{})
		if err != nil {
			return nil, err
		}
		return of(other), nil
	}
}

// withProvider returns a function for an option that refers to a provider.
func withProvider(
	of func(pulumi.ProviderResource) pulumi.ResourceOption,
) func(*pulumi.Context) (pulumi.ResourceOption, error) {
	return func(ctx *pulumi.Context) (pulumi.ResourceOption, error) {
		var other struct{ pulumi.ProviderResourceState }
		err := ctx.RegisterResource("pulumi:providers:kubernetes", "cluster", pulumi.Map{}, &other)
		if err != nil {
			return nil, err
		}
		return of(&other), nil
	}
}

// ofChild returns a transform that changes the options of the component's object.
func ofChild(change func(*pulumi.ResourceOptions)) pulumi.ResourceOption {
	return pulumi.Transforms([]pulumi.ResourceTransform{
		func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
			if args.Type != "kubernetes:apps/v1:Deployment" {
				return nil
			}
			change(&args.Opts)
			return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
		},
	})
}

// resourceOptions returns all options that Pulumi has for a component in any language.
func resourceOptions() []resourceOption {
	return []resourceOption{
		{"additionalSecretOutputs", simply(pulumi.AdditionalSecretOutputs([]string{"status"}))},
		{"aliases, of the component", simply(pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("www")}}))},
		{"aliases, of the object by its type", simply(pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String("kubernetes:apps/v1:Deployment")},
		}))},
		{"aliases, of the object by its type and name", simply(pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String("kubernetes:apps/v1:Deployment"), Name: pulumi.String("www")},
		}))},
		{"customTimeouts", simply(pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h"}))},
		{"deleteBeforeReplace", simply(pulumi.DeleteBeforeReplace(true))},
		{"deletedWith", withOther(pulumi.DeletedWith)},
		{"dependsOn", withOther(func(r pulumi.Resource) pulumi.ResourceOption {
			return pulumi.DependsOn([]pulumi.Resource{r})
		})},
		{"hideDiffs", simply(pulumi.HideDiffs([]string{"spec"}))},
		{"hooks", func(ctx *pulumi.Context) (pulumi.ResourceOption, error) {
			hook, err := ctx.RegisterResourceHook("said", func(*pulumi.ResourceHookArgs) error { return nil }, nil)
			return pulumi.ResourceHooks(&pulumi.ResourceHookBinding{AfterCreate: []*pulumi.ResourceHook{hook}}), err
		}},
		{"ignoreChanges", simply(pulumi.IgnoreChanges([]string{"spec.replicas"}))},
		{"import", simply(pulumi.Import(pulumi.ID("default/web")))},
		{"import, in a transform", simply(ofChild(func(o *pulumi.ResourceOptions) {
			o.Import = pulumi.ID("default/web")
		}))},
		{"parent", func(ctx *pulumi.Context) (pulumi.ResourceOption, error) {
			made := &bare{}
			err := ctx.RegisterComponentResource("app:index:Group", "group", made)
			return pulumi.Parent(made), err
		}},
		{"pluginDownloadURL", simply(pulumi.PluginDownloadURL("https://example.com"))},
		{"protect", simply(pulumi.Protect(true))},
		{"provider", withProvider(func(p pulumi.ProviderResource) pulumi.ResourceOption { return pulumi.Provider(p) })},
		{"providers", withProvider(func(p pulumi.ProviderResource) pulumi.ResourceOption {
			return pulumi.Providers(p)
		})},
		{"replaceOnChanges", simply(pulumi.ReplaceOnChanges([]string{"spec.selector"}))},
		{"replaceWith", withOther(func(r pulumi.Resource) pulumi.ResourceOption {
			return pulumi.ReplaceWith([]pulumi.Resource{r})
		})},
		{"replacementTrigger", simply(pulumi.ReplacementTrigger(pulumi.String("again")))},
		{"retainOnDelete", simply(pulumi.RetainOnDelete(true))},
		{"transforms", simply(ofChild(func(o *pulumi.ResourceOptions) { o.Protect = true }))},
		{"version", simply(pulumi.Version("4.24.0"))},
	}
}

// reached describes what an option changes at the component and at its object.
func reached(t *testing.T, remote bool, option func(*pulumi.Context) (pulumi.ResourceOption, error)) string {
	t.Helper()
	run := func(option func(*pulumi.Context) (pulumi.ResourceOption, error)) (*mocktest.Graph, error) {
		options := []mocktest.Option{mocktest.Preview()}
		if remote {
			options = append(options, served(t))
		}
		return mocktest.Run(func(ctx *pulumi.Context) error {
			opt, err := option(ctx)
			if err != nil {
				return err
			}
			if remote {
				_, err = register(ctx, deployment, "web", pulumi.Map{
					"platform": pulumi.String("windows-2022"), "spec": pods(pulumi.String("a:ltsc2022"), nil),
				}, opt)
				return err
			}
			_, err = workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
				Platform: platform.WindowsServer2022,
				Spec: appsv1.DeploymentSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name: pulumi.String("web"), Image: pulumi.String("a:ltsc2022"),
					}},
				}}},
			}, opt)
			return err
		}, options...)
	}
	with, err := run(option)
	if err != nil {
		_, message, _ := strings.Cut(err.Error(), "opts.")
		if message == "" {
			t.Fatal(err)
		}
		return "an error: opts." + strings.TrimSpace(message)
	}
	without, err := run(simply(pulumi.Composite()))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, at := range []struct{ what, typ string }{
		{"component", deployment}, {"object", "kubernetes:apps/v1:Deployment"},
	} {
		if changed := differences(t, without, with, at.typ); len(changed) > 0 {
			found = append(found, at.what+": "+strings.Join(changed, ", "))
		}
	}
	if len(found) == 0 {
		return "nothing"
	}
	return strings.Join(found, "; ")
}

var urns = regexp.MustCompile(`urn:pulumi:[^"]*::([^":]*)`)

// differences returns the differences of two graphs in the only resource of a type.
func differences(t *testing.T, without, with *mocktest.Graph, typ string) []string {
	t.Helper()
	of := func(g *mocktest.Graph) map[string]json.RawMessage {
		resources := g.ByType(typ)
		if len(resources) != 1 {
			t.Fatalf("%d resources of type %s:\n%s", len(resources), typ, g)
		}
		content, err := json.Marshal(resources[0])
		if err != nil {
			t.Fatal(err)
		}
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal(content, &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "urn")
		return fields
	}
	was, is := of(without), of(with)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if !bytes.Equal(was[name], is[name]) {
			value := urns.ReplaceAllString(string(is[name]), "$1")
			// A child of the stack has no parent for a Go program, and the stack for a plugin: it is the same.
			value = strings.ReplaceAll(value, `"parent":"project-stack"`, `"noParent":true`)
			changed = append(changed, fmt.Sprintf("`%s: %s`", name, value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, ok := is[name]; !ok {
			changed = append(changed, fmt.Sprintf("no `%s`", name))
		}
	}
	return changed
}

// TestOptionsHaveTheSameEffect checks that an option has the same effect on a component of the plugin as on one in Go,
// except for options that the protocol does not carry.
func TestOptionsHaveTheSameEffect(t *testing.T) {
	t.Parallel()
	lost := []string{"hideDiffs", "import", "pluginDownloadURL", "version"}
	for _, o := range resourceOptions() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			inGo, remote := reached(t, false, o.option), reached(t, true, o.option)
			want := inGo
			if slices.Contains(lost, o.name) {
				want = "nothing"
			}
			if remote != want || inGo == "nothing" {
				t.Errorf("through the plugin it reaches %s, in Go %s", remote, inGo)
			}
		})
	}
}

// TestEachOptionIsInTheTable finds options of Pulumi that are not in the table.
func TestEachOptionIsInTheTable(t *testing.T) {
	t.Parallel()
	var names []string
	for _, o := range resourceOptions() {
		name, _, _ := strings.Cut(o.name, ",")
		names = append(names, strings.ToLower(name))
	}
	// Fields of the SDK whose options have another name, or "" if no other language has the option for a component.
	renamed := map[string]string{
		"Transformations": "transforms", "URN": "", "EnvVarMappings": "", "Hooks": "hooks",
		"CustomTimeouts": "customtimeouts", "DependsOnInputs": "dependson",
	}
	for f := range reflect.TypeFor[pulumi.ResourceOptions]().Fields() {
		name, found := renamed[f.Name]
		if !found {
			name = strings.ToLower(f.Name)
		}
		if name != "" && !slices.Contains(names, name) {
			t.Errorf("no row for the option %s", f.Name)
		}
	}
}
