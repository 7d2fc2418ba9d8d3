package childoptions

import (
	"maps"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// destination is the resource that an option of a component reaches.
type destination int

const (
	// stays is for options that Pulumi itself applies to the component and passes to its children.
	stays destination = iota + 1
	// toMain is for options for a single resource. It is an error if there is no main child.
	toMain
	// toMainOrStays is like toMain, for options that also have an effect on a component.
	toMainOrStays
	// toBoth stays, and reaches the main child as well, where it overrides the component's own option.
	toBoth
	// toEach reaches the main child or, without one, all children.
	toEach
	// byType is for aliases.
	byType
	// nowhere is for options without an effect on a component and its children.
	nowhere
)

// option is a field of [pulumi.ResourceOptions].
type option struct {
	to destination
	// again creates the option again from its field.
	again func(o *pulumi.ResourceOptions) pulumi.ResourceOption
}

// options are all fields of [pulumi.ResourceOptions]: the tests fail for a new one in the SDK until it is listed here.
var options = map[string]option{
	"Parent": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption { return pulumi.Parent(o.Parent) }},
	"DependsOn": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.DependsOn(o.DependsOn)
	}},
	"DependsOnInputs": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return composite(o.DependsOnInputs, func(in pulumi.ResourceArrayInput) pulumi.ResourceOption {
			return pulumi.DependsOnInputs(in)
		})
	}},
	"Provider": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption { return pulumi.Provider(o.Provider) }},
	"Providers": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.Providers(o.Providers...)
	}},
	"Transformations": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.Transformations(o.Transformations)
	}},
	"Transforms": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.Transforms(o.Transforms)
	}},
	"RetainOnDelete": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.RetainOnDelete(o.RetainOnDelete)
	}},
	"DeletedWith": {stays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.DeletedWith(o.DeletedWith)
	}},

	// A component may protect its main child by default.
	"Protect": {toBoth, func(o *pulumi.ResourceOptions) pulumi.ResourceOption { return pulumi.Protect(o.Protect) }},

	"CustomTimeouts": {toEach, nil},
	"Aliases":        {byType, nil},

	"Hooks": {toMainOrStays, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.ResourceHooks(o.Hooks)
	}},
	"AdditionalSecretOutputs": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.AdditionalSecretOutputs(o.AdditionalSecretOutputs)
	}},
	"DeleteBeforeReplace": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.DeleteBeforeReplace(o.DeleteBeforeReplace)
	}},
	"HideDiffs": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.HideDiffs(o.HideDiffs)
	}},
	"IgnoreChanges": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.IgnoreChanges(o.IgnoreChanges)
	}},
	"Import": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption { return pulumi.Import(o.Import) }},
	"ReplaceOnChanges": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.ReplaceOnChanges(o.ReplaceOnChanges)
	}},
	"ReplacementTrigger": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.ReplacementTrigger(o.ReplacementTrigger)
	}},
	"ReplaceWith": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.ReplaceWith(o.ReplaceWith)
	}},
	"Version": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption { return pulumi.Version(o.Version) }},
	"PluginDownloadURL": {toMain, func(o *pulumi.ResourceOptions) pulumi.ResourceOption {
		return pulumi.PluginDownloadURL(o.PluginDownloadURL)
	}},

	// It reads a resource that is registered already; constructors register.
	"URN": {nowhere, nil},
	// It is about a provider.
	"EnvVarMappings": {nowhere, nil},
}

func composite[T any](all []T, each func(T) pulumi.ResourceOption) pulumi.ResourceOption {
	var options []pulumi.ResourceOption
	for _, one := range all {
		options = append(options, each(one))
	}
	return pulumi.Composite(options...)
}

// switches are the options that can be switched off. In [pulumi.ResourceOptions] they look the same as options that are
// not set.
var switches = map[string]func(bool) pulumi.ResourceOption{
	"Protect":             pulumi.Protect,
	"RetainOnDelete":      pulumi.RetainOnDelete,
	"DeleteBeforeReplace": pulumi.DeleteBeforeReplace,
}

// fieldsOf returns the fields that one option sets.
func fieldsOf(o pulumi.ResourceOption) (map[string]bool, *pulumi.ResourceOptions, error) {
	snapshot, err := pulumi.NewResourceOptions(o)
	if err != nil {
		return nil, nil, err
	}
	set := map[string]bool{}
	for field, value := range reflect.ValueOf(snapshot).Elem().Fields() {
		if !value.IsZero() {
			set[field.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(switches)) {
		was, err := pulumi.NewResourceOptions(switches[name](true), o)
		if err != nil {
			return nil, nil, err
		}
		if !reflect.ValueOf(was).Elem().FieldByName(name).Bool() {
			set[name] = true
		}
	}
	return set, snapshot, nil
}
