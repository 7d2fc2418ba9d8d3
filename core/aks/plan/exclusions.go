package plan

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var optionsExclude = engine.Rule{
	Rule: rule.Rule{
		ID: "MK895", Severity: rule.Error, Title: "options that exclude each other",
		Page: rulepages.AKS,
		Reason: "A cluster has one service mesh. Virtual nodes need pods with addresses of a subnet, and do not work " +
			"with authorized IP ranges. Cost analysis needs the driver of disks.",
		Fix: "remove one of the two",
		Source: aks + "istio-about, " + aks + "virtual-nodes, " + aks +
			"concepts-network-azure-cni-overlay, " + aks + "cost-analysis",
	},
	Checks: []engine.Check{engine.On(programs, excludedOptions)},
}

// excluded is an option that does not work together with something else, which a function describes: it returns an
// empty string if the program does not have it.
type excluded struct {
	option string
	value  any
	with   func(c program) string
}

const (
	serviceMesh  = "serviceMeshProfile.mode"
	virtualNodes = "addonProfiles.aciConnectorLinux.enabled"
	costAnalysis = "metricsProfile.costAnalysis.enabled"
)

var exclusions = []excluded{
	{serviceMesh, "Istio", withOption("addonProfiles.openServiceMesh.enabled", true)},
	{virtualNodes, true, func(c program) string {
		if len(c.APIServer.AuthorizedIPRanges) > 0 {
			return authorizedIPRanges
		}
		return ""
	}},
	{virtualNodes, true, func(c program) string {
		if c.Network.Mode == Overlay {
			return "network.mode overlay"
		}
		return ""
	}},
	{costAnalysis, true, withOption("storageProfile.diskCSIDriver.enabled", false)},
}

func withOption(path string, value any) func(c program) string {
	return func(c program) string {
		if option(c.Options, path) != value {
			return ""
		}
		return fmt.Sprintf("options.%s %v", path, value)
	}
}

func excludedOptions(c program) []rule.Problem {
	var found []rule.Problem
	for _, e := range exclusions {
		if option(c.Options, e.option) != e.value {
			continue
		}
		if with := e.with(c); with != "" {
			found = append(found, rule.Problem{
				Path: "options." + e.option, Value: e.value, Detail: "does not work with " + with,
			})
		}
	}
	return found
}
