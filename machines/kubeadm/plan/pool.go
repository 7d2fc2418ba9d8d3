package plan

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var (
	windowsNameTooLong = engine.Rule{
		Rule: rule.Rule{
			ID: "MK643", Severity: rule.Error, Title: "a name of a Windows pool that is too long for its machines",
			Page: rulepages.Kubeadm,
			Reason: "The name of a Windows machine has at most 15 characters. It consists of the name of the pool, " +
				"three characters for the pool's version, and a number.",
			Source:    namesPage,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(pools, windowsName)},
	}
	sizeMissing = engine.Rule{
		Rule: rule.Rule{
			ID: "MK644", Severity: rule.Error, Title: "a pool without a size", Page: rulepages.Kubeadm,
			Reason:    "Azure does not create a virtual machine without one.",
			Source:    machineAPI,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
			if p.Size != "" {
				return nil
			}
			return []rule.Problem{required(p.path.Child("size"),
				"the size of the virtual machines, Standard_D4s_v5 for example")}
		})},
	}
)

// nameTooLong reports whether the name of a Windows pool leaves no room for the rest of the names of machines.
func nameTooLong(p topology.Pool) bool { return p.Platform.IsWindows() && len(p.Name) > roomForName(p) }

// windowsName finds a name that is too long.
func windowsName(p pool) []rule.Problem {
	if !nameTooLong(p.Pool) {
		return nil
	}
	longest := fmt.Sprintf("%s-%s-%d", p.Name, strings.Repeat("x", versionLength), lastNumber(p.Pool))
	return []rule.Problem{invalid(p.path.Child("name"), p.Name,
		fmt.Sprintf("the longest name of its machines is %s, %d characters, and the name of a Windows machine has "+
			"at most %d",
			longest, len(longest), longestWindowsName),
		fmt.Sprintf("use a name of at most %d", roomForName(p.Pool)))}
}

var settingOfAKS = engine.Rule{
	Rule: rule.Rule{
		ID: "MK646", Severity: rule.Error, Title: "a setting of a pool that virtual machines do not have",
		Page: rulepages.Kubeadm,
		Reason: "A pool has the settings of all clouds and services. Some are settings of AKS, and have no effect on " +
			"virtual machines that AKS does not manage.",
		Source: "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
	},
	Checks: []engine.Check{engine.On(pools, settingsOfAKS)},
}

func settingsOfAKS(p pool) []rule.Problem {
	var found []rule.Problem
	refuse := func(set bool, name string, value any, detail, fix string) {
		if set {
			found = append(found, invalid(p.path.Child(name), value, detail, fix))
		}
	}
	refuse(p.Autoscaling.Enabled(), "autoscaling", fmt.Sprintf("%d to %d", p.Autoscaling.Min, p.Autoscaling.Max),
		"nothing scales these virtual machines", "leave it out, and set a count")
	refuse(p.FIPS, "fips", true, "a virtual machine has it only if its image has it",
		"leave it out, and set an image that has it")
	refuse(p.DisableOutboundNAT, "disableOutboundNAT", true, "is an option of AKS", "leave it out")
	surge := p.Upgrade
	surge.DrainTimeoutMinutes = 0
	refuse(surge != topology.Upgrade{}, "upgrade", field.OmitValueType{},
		"all machines of a new version are created before the old ones are deleted",
		"leave out everything except drainTimeoutMinutes")
	return found
}

var arm64Refused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK645", Severity: rule.Error, Title: "a size of Arm64", Page: rulepages.Kubeadm,
		Reason: "The programs that a machine downloads are for amd64.",
		Source: sizeNamesPage,
	},
	Checks: []engine.Check{engine.On(sizes, func(s size) []rule.Problem {
		if !vm.IsArm64InAzure(s.name) {
			return nil
		}
		return []rule.Problem{invalid(s.path, s.name, "an Arm64 size (the letter p), and the bootstrap is for amd64",
			"use a size without p, for example Standard_D4s_v5")}
	})},
}
