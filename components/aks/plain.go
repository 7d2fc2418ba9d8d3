package aks

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// plainOptions reports options that cannot be completed because they are outputs.
func (s clusterSpec) plainOptions() field.ErrorList {
	var errs field.ErrorList
	if o := s.Options; o != nil {
		errs = append(errs, mustBePlain(field.NewPath("options"), map[string]any{
			"apiServerAccessProfile": o.ApiServerAccessProfile,
			"networkProfile":         o.NetworkProfile,
			"windowsProfile":         o.WindowsProfile,
		})...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.PoolOptions)) {
		errs = append(errs, s.PoolOptions[name].plainOptions(field.NewPath("poolOptions").Key(name))...)
	}
	return errs
}

func (o PoolOptions) plainOptions(path *field.Path) field.ErrorList {
	if o.Options == nil {
		return nil
	}
	return mustBePlain(path.Child("options"), map[string]any{
		"upgradeSettings": o.Options.UpgradeSettings,
		"windowsProfile":  o.Options.WindowsProfile,
	})
}

func mustBePlain(path *field.Path, options map[string]any) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if _, ok := options[name].(pulumi.Output); ok {
			errs = append(errs, field.Invalid(path.Child(name), field.OmitValueType{},
				"must be plain, because the component completes them: only their fields may be outputs"))
		}
	}
	return errs
}
