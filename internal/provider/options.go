package provider

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// options returns the options of a request, each as a separate option. The SDK combines all of them into one option,
// which sets those that the request does not have to their zero values: a component could not distinguish
// DeleteBeforeReplace(false) from an option that is not set, and would pass it to its children. The protocol does not
// carry Import, HideDiffs, Version and PluginDownloadURL.
//
// SDKs and programs in YAML name the secret outputs of the component itself in AdditionalSecretOutputs, as the schema
// says that they are secrets. The plugin returns them as secrets, and children do not have them.
func (c Component) options(req *pulumirpc.ConstructRequest, all pulumi.ResourceOption) (pulumi.ResourceOption, error) {
	o, err := pulumi.NewResourceOptions(all)
	if err != nil {
		return nil, err
	}
	outputs := c.fieldsOfOutputs()
	secrets := slices.DeleteFunc(slices.Clone(o.AdditionalSecretOutputs), func(name string) bool {
		_, own := outputs[name]
		return own
	})
	var separate []pulumi.ResourceOption
	add := func(is bool, option func() pulumi.ResourceOption) {
		if is {
			separate = append(separate, option())
		}
	}
	type made = pulumi.ResourceOption
	add(o.Parent != nil, func() made { return pulumi.Parent(o.Parent) })
	add(len(o.DependsOn) > 0, func() made { return pulumi.DependsOn(o.DependsOn) })
	add(len(o.Providers) > 0, func() made { return pulumi.Providers(o.Providers...) })
	add(len(o.Aliases) > 0, func() made { return pulumi.Aliases(aliases(o.Aliases)) })
	add(req.Protect != nil, func() made { return pulumi.Protect(req.GetProtect()) })
	add(req.RetainOnDelete != nil, func() made { return pulumi.RetainOnDelete(req.GetRetainOnDelete()) })
	add(req.DeleteBeforeReplace != nil, func() made { return pulumi.DeleteBeforeReplace(req.GetDeleteBeforeReplace()) })
	add(o.DeletedWith != nil, func() made { return pulumi.DeletedWith(o.DeletedWith) })
	add(len(o.ReplaceWith) > 0, func() made { return pulumi.ReplaceWith(o.ReplaceWith) })
	add(o.ReplacementTrigger != nil, func() made { return pulumi.ReplacementTrigger(o.ReplacementTrigger) })
	add(len(o.IgnoreChanges) > 0, func() made { return pulumi.IgnoreChanges(o.IgnoreChanges) })
	add(len(o.ReplaceOnChanges) > 0, func() made { return pulumi.ReplaceOnChanges(o.ReplaceOnChanges) })
	add(len(secrets) > 0, func() made { return pulumi.AdditionalSecretOutputs(secrets) })
	add(hasTimeouts(req.GetCustomTimeouts()), func() made { return pulumi.Timeouts(o.CustomTimeouts) })
	add(hasHooks(req.GetResourceHooks()), func() made { return pulumi.ResourceHooks(o.Hooks) })
	return pulumi.Composite(separate...), nil
}

// hasTimeouts reports whether a timeout is set: SDKs send an empty message if there is none.
func hasTimeouts(t *pulumirpc.ConstructRequest_CustomTimeouts) bool {
	return t.GetCreate() != "" || t.GetUpdate() != "" || t.GetDelete() != "" || t.GetRead() != ""
}

// aliases returns the aliases of a request without the empty parts that the SDK sets if the request does not have them:
// a component could not distinguish them from parts that are set.
func aliases(all []pulumi.Alias) []pulumi.Alias {
	cleaned := slices.Clone(all)
	for i, a := range cleaned {
		of := &cleaned[i]
		for _, part := range []*pulumi.StringInput{&of.Name, &of.Type, &of.Project, &of.Stack} {
			if *part == pulumi.String("") {
				*part = nil
			}
		}
		if a.NoParent == pulumi.Bool(false) {
			of.NoParent = nil
		}
	}
	return cleaned
}

func hasHooks(h *pulumirpc.ConstructRequest_ResourceHooksBinding) bool {
	for _, names := range [][]string{
		h.GetBeforeCreate(), h.GetAfterCreate(), h.GetBeforeUpdate(), h.GetAfterUpdate(), h.GetBeforeDelete(),
		h.GetAfterDelete(), h.GetOnError(),
	} {
		if len(names) > 0 {
			return true
		}
	}
	return false
}
