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
		Reason: "A cluster has one service mesh. Virtual nodes need pods with addresses of a subnet, and do not work with " +
			"authorized IP ranges. Cost analysis needs the driver of disks.",
		Fix: "remove one of the two",
		Source: aks + "istio-about, " + aks + "virtual-nodes, " + aks +
			"concepts-network-azure-cni-overlay, " + aks + "cost-analysis",
	},
	Checks: []engine.Check{engine.On(programs, excludedOptions)},
}

// excluded is an option that does not work together with something else: with an option of a value, or with what a
// function finds in other arguments.
type excluded struct {
	option string
	value  any
	// other is the path of the other option, and otherValue its value.
	other      string
	otherValue any
	// argument returns the path of another argument, or an empty string if that does not matter.
	argument func(c program) string
}

const (
	serviceMesh  = "serviceMeshProfile.mode"
	virtualNodes = "addonProfiles.aciConnectorLinux.enabled"
	costAnalysis = "metricsProfile.costAnalysis.enabled"
)

var exclusions = []excluded{
	{option: serviceMesh, value: "Istio", other: "addonProfiles.openServiceMesh.enabled", otherValue: true},
	{option: virtualNodes, value: true, argument: func(c program) string {
		if len(c.APIServer.AuthorizedIPRanges) > 0 {
			return authorizedIPRanges
		}
		return ""
	}},
	{option: virtualNodes, value: true, argument: func(c program) string {
		if c.Network.Mode == Overlay {
			return "network.mode overlay"
		}
		return ""
	}},
	{option: costAnalysis, value: true, other: "storageProfile.diskCSIDriver.enabled", otherValue: false},
}

func excludedOptions(c program) []rule.Problem {
	var found []rule.Problem
	for _, e := range exclusions {
		if option(c.Options, e.option) != e.value {
			continue
		}
		with := ""
		switch {
		case e.argument != nil:
			with = e.argument(c)
		case option(c.Options, e.other) == e.otherValue:
			with = fmt.Sprintf("options.%s %v", e.other, e.otherValue)
		}
		if with != "" {
			found = append(found, rule.Problem{
				Path: "options." + e.option, Value: e.value, Detail: "does not work with " + with,
			})
		}
	}
	return found
}
