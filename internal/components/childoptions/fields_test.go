package childoptions

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// A new option of the SDK is in no list until its destination is decided.
func TestEachOptionOfTheSDKHasADestination(t *testing.T) {
	t.Parallel()
	var fields []string
	for field := range reflect.TypeFor[pulumi.ResourceOptions]().Fields() {
		fields = append(fields, field.Name)
	}
	slices.Sort(fields)
	if diff := cmp.Diff(fields, slices.Sorted(maps.Keys(options))); diff != "" {
		t.Errorf("fields of pulumi.ResourceOptions and of options (-want +got):\n%s", diff)
	}
}

type provider struct{ pulumi.ProviderResourceState }

type some struct{ pulumi.ResourceState }

// samples has each option, with a value that is not the zero value, by the field that it sets.
func samples() map[string]pulumi.ResourceOption {
	resources := []pulumi.Resource{&some{}}
	hooks := &pulumi.ResourceHookBinding{AfterCreate: []*pulumi.ResourceHook{{}}}
	return map[string]pulumi.ResourceOption{
		"AdditionalSecretOutputs": pulumi.AdditionalSecretOutputs([]string{"a"}),
		"Aliases":                 pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("a")}}),
		"CustomTimeouts":          pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1m"}),
		"DeleteBeforeReplace":     pulumi.DeleteBeforeReplace(true),
		"DeletedWith":             pulumi.DeletedWith(resources[0]),
		"DependsOn":               pulumi.DependsOn(resources),
		"DependsOnInputs":         pulumi.DependsOnInputs(pulumi.NewResourceArrayOutput()),
		"EnvVarMappings":          pulumi.EnvVarMappings(map[string]string{"A": "B"}),
		"HideDiffs":               pulumi.HideDiffs([]string{"a"}),
		"Hooks":                   pulumi.ResourceHooks(hooks),
		"IgnoreChanges":           pulumi.IgnoreChanges([]string{"a"}),
		"Import":                  pulumi.Import(pulumi.ID("a")),
		"Parent":                  pulumi.Parent(resources[0]),
		"PluginDownloadURL":       pulumi.PluginDownloadURL("https://example.com"),
		"Protect":                 pulumi.Protect(true),
		"Provider":                pulumi.Provider(&provider{}),
		"Providers":               pulumi.Providers(&provider{}),
		"ReplaceOnChanges":        pulumi.ReplaceOnChanges([]string{"a"}),
		"ReplaceWith":             pulumi.ReplaceWith(resources),
		"ReplacementTrigger":      pulumi.ReplacementTrigger(pulumi.String("a")),
		"RetainOnDelete":          pulumi.RetainOnDelete(true),
		"Transformations": pulumi.Transformations([]pulumi.ResourceTransformation{
			func(*pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult { return nil },
		}),
		"Transforms": pulumi.Transforms([]pulumi.ResourceTransform{nil}),
		"URN":        pulumi.URN_("a"),
		"Version":    pulumi.Version("1.0.0"),
	}
}

func TestOptionsAreRestored(t *testing.T) {
	t.Parallel()
	samples := samples()
	for name, option := range options {
		sample, ok := samples[name]
		if !ok {
			t.Errorf("there is no sample of %s", name)
			continue
		}
		set, snapshot, err := fieldsOf(sample)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{name: true}
		if name == "Provider" {
			want["Providers"] = true // the SDK's form
		}
		if diff := cmp.Diff(want, set); diff != "" {
			t.Errorf("what the sample of %s sets (-want +got):\n%s", name, diff)
		}
		if option.again == nil {
			continue
		}
		again, err := pulumi.NewResourceOptions(option.again(snapshot))
		if err != nil {
			t.Fatal(err)
		}
		was := reflect.ValueOf(*snapshot).FieldByName(name)
		is := reflect.ValueOf(*again).FieldByName(name)
		if name == "Transformations" || name == "Transforms" { // functions cannot be compared
			if was.Len() != is.Len() {
				t.Errorf("%s has %d functions when it is made again, want %d", name, is.Len(), was.Len())
			}
		} else if !reflect.DeepEqual(was.Interface(), is.Interface()) {
			t.Errorf("%s is %v when it is made again, want %v", name, is, was)
		}
	}
}

func TestASwitchThatIsOffIsSet(t *testing.T) {
	t.Parallel()
	for name, option := range switches {
		set, _, err := fieldsOf(option(false))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]bool{name: true}, set); diff != "" {
			t.Errorf("%s(false) sets (-want +got):\n%s", name, diff)
		}
	}
}
