package plan

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var featuresExclude = engine.Rule{
	Rule: rule.Rule{
		ID: "MK905", Severity: rule.Error, Title: "features of a Linux pool that exclude each other",
		Page: rulepages.AKSPools,
		Reason: "Each node image has some features only. There is none with both Trusted Launch and Pod Sandboxing, " +
			"confidential sizes or most Arm64 sizes. Pod Sandboxing needs Azure Linux, without FIPS. Pools of the " +
			"type VirtualMachines have no zones, and LocalDNS needs 4 vCPUs.",
		Fix: "give up one of these features",
		Source: aks + "node-images, " + aks + "use-trusted-launch, " + aks + "use-cvm, " +
			aks + "use-pod-sandboxing, " + aks + "use-arm64-vms, " + aks + "virtual-machines-node-pools, " +
			aks + "localdns-custom, " +
			"https://github.com/Azure/AKS/blob/master/CHANGELOG.md",
	},
	Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
		if p.Platform.IsWindows() {
			return nil
		}
		var found []rule.Problem
		for _, pair := range featurePairs {
			first, second := pair[0](p), pair[1](p)
			if first.path != "" && second.path != "" {
				found = append(found, rule.Problem{
					Path: first.path, Value: first.value,
					Detail: fmt.Sprintf("does not work with %s %v", second.path, second.value),
				})
			}
		}
		return found
	})},
}

// feature is a value that a pool has, or the zero value.
type feature struct {
	path  string
	value any
}

var featurePairs = [][2]func(p pool) feature{
	{trustedLaunch, confidential},
	{trustedLaunch, ofSize(vm.IsArm64InAzure)},
	{podSandboxing, trustedLaunch},
	{podSandboxing, confidential},
	{podSandboxing, fips},
	{podSandboxing, ofSKU(func(sku facts.SKU) bool {
		return isUbuntu(sku) || sku.FIPS == facts.FIPSOnly || sku.Name == containerLinux
	})},
	{fips, confidential},
	{ofSKU(func(sku facts.SKU) bool { return sku.NoConfidential && sku.Name != containerLinux }), confidential},
	{fips, func(p pool) feature {
		if ofSKU(isUbuntu)(p).path == "" {
			return feature{}
		}
		return ofSize(vm.IsArm64InAzure)(p)
	}},
	{withValue("type", "VirtualMachines"), func(p pool) feature {
		if len(p.Zones) == 0 {
			return feature{}
		}
		return feature{p.at + "zones", p.Zones}
	}},
	{withValue("localDNSProfile.mode", "Required"), ofSize(func(size string) bool {
		cpus, _, known := vm.CapacityInAzure(size)
		return known && cpus < 4
	})},
}

var confidential = ofSize(func(size string) bool { return confidentialSize.MatchString(size) })

var podSandboxing = withValue("workloadRuntime", "KataVmIsolation")

// trustedLaunch leaves out Azure Container Linux, whose sizes MK879 checks.
func trustedLaunch(p pool) feature {
	if p.osSKU() == containerLinux {
		return feature{}
	}
	for _, name := range []string{"enableSecureBoot", "enableVTPM"} {
		if f := withValue("securityProfile."+name, true)(p); f.path != "" {
			return f
		}
	}
	return feature{}
}

func fips(p pool) feature {
	if !p.FIPS {
		return feature{}
	}
	return feature{p.at + "fips", true}
}

func withValue(path string, value any) func(p pool) feature {
	return func(p pool) feature {
		if option(p.options.Options, path) != value {
			return feature{}
		}
		return feature{p.optionsAt + "options." + path, value}
	}
}

func ofSize(is func(size string) bool) func(p pool) feature {
	return func(p pool) feature {
		if !is(p.Size) {
			return feature{}
		}
		return feature{p.at + "size", p.Size}
	}
}

func ofSKU(is func(sku facts.SKU) bool) func(p pool) feature {
	return func(p pool) feature {
		sku, known := facts.SKUNamed(p.osSKU())
		if !known || !is(sku) {
			return feature{}
		}
		return feature{p.optionsAt + "options.osSKU", sku.Name}
	}
}

func isUbuntu(sku facts.SKU) bool { return strings.HasPrefix(sku.Name, ubuntu) }
