package plan

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// staticBlockPage explains how the pods of mode pod-subnet get their addresses.
const staticBlockPage = aks + "configure-azure-cni-static-block-allocation"

// allocationMode is the option of a pool that decides how its pods get their addresses, with its values.
const (
	allocationMode    = "podIPAllocationMode"
	dynamicIndividual = "DynamicIndividual"
)

var allocationModes = []string{dynamicIndividual, "StaticBlock"}

var podSubnetTwoModes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK893", Severity: rule.Error, Title: "a subnet of pods with two allocation modes",
		Page: rulepages.AKSNetworks,
		Reason: "A subnet gives pods single addresses (DynamicIndividual, the default) or blocks of addresses " +
			"(StaticBlock), even if several pools and clusters share it.",
		Fix:    "use one mode, or another podSubnetID",
		Source: staticBlockPage,
	},
	Checks: []engine.Check{engine.On(allSubnets, differentModes)},
}

// differentModes compares the modes of pools in one subnet. A pool that keeps its name in Azure keeps its mode if the
// program does not set one.
func differentModes(s subnets) []rule.Problem {
	type use struct{ mode, path string }
	first := map[string]use{}
	var problems []rule.Problem
	for _, p := range s.pools {
		subnet, set := p.options.PodSubnetID, option(p.options.Options, allocationMode)
		mode := open(set)
		if set == nil && p.options.NameInAzure == "" {
			mode = dynamicIndividual
		}
		if subnet == "" {
			subnet = s.network.PodSubnetID // the same for all pools, even if it is not known yet
		} else if subnet == Later {
			continue
		}
		if mode == "" || subnet == "" {
			continue
		}
		key, here := strings.ToLower(subnet), use{mode, p.optionsAt + "options." + allocationMode}
		other, seen := first[key]
		if !seen {
			first[key] = here
			continue
		}
		if !strings.EqualFold(other.mode, mode) {
			problems = append(problems, rule.Problem{
				Path: here.path, Value: mode,
				Detail: fmt.Sprintf("%s is %s in the same subnet", other.path, other.mode),
			})
		}
	}
	return problems
}

// unknownModes finds allocation modes that are not known.
func unknownModes(n network) []rule.Problem {
	var problems []rule.Problem
	for _, p := range n.pools {
		problems = append(problems, n.unknownValue(p.optionsAt+"options."+allocationMode,
			open(option(p.options.Options, allocationMode)), "an allocation mode", allocationModes, nil)...)
	}
	return problems
}
