package provider

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// options are the options of a request, each as one of its own. The SDK makes one of all of them, which
// sets those to nothing that were not given: a component could not tell DeleteBeforeReplace(false) from
// an option that is left out, and would pass it on. The protocol carries neither Import nor HideDiffs,
// Version and PluginDownloadURL.
func options(req *pulumirpc.ConstructRequest, all pulumi.ResourceOption) (pulumi.ResourceOption, error) {
	o, err := pulumi.NewResourceOptions(all)
	if err != nil {
		return nil, err
	}
	var given []pulumi.ResourceOption
	add := func(is bool, option func() pulumi.ResourceOption) {
		if is {
			given = append(given, option())
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
	add(len(o.AdditionalSecretOutputs) > 0, func() made {
		return pulumi.AdditionalSecretOutputs(o.AdditionalSecretOutputs)
	})
	add(hasTimeouts(req.GetCustomTimeouts()), func() made { return pulumi.Timeouts(o.CustomTimeouts) })
	add(hasHooks(req.GetResourceHooks()), func() made { return pulumi.ResourceHooks(o.Hooks) })
	return pulumi.Composite(given...), nil
}

// hasTimeouts reports whether there is one: SDKs send an empty message for none.
func hasTimeouts(t *pulumirpc.ConstructRequest_CustomTimeouts) bool {
	return t.GetCreate() != "" || t.GetUpdate() != "" || t.GetDelete() != "" || t.GetRead() != ""
}

// aliases are those of a request without what the SDK makes of parts that were not given: a component
// could not tell them from parts that are.
func aliases(all []pulumi.Alias) []pulumi.Alias {
	given := slices.Clone(all)
	for i, a := range given {
		for _, part := range []*pulumi.StringInput{&given[i].Name, &given[i].Type, &given[i].Project, &given[i].Stack} {
			if *part == pulumi.String("") {
				*part = nil
			}
		}
		if a.NoParent == pulumi.Bool(false) {
			given[i].NoParent = nil
		}
	}
	return given
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
