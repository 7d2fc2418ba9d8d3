package classes

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var existingRules = []engine.Rule{classNotAmongObjects, NotInCluster}

var classNotAmongObjects = engine.Rule{
	Rule: rule.Rule{
		ID: "MK401", Severity: rule.Warning, Title: "a RuntimeClass that is not among the objects",
		Page: rulepages.RuntimeClasses,
		Reason: "Pods that name a RuntimeClass which does not exist are refused when they are created. It may exist " +
			"already, or be created in another way: a topology that lists the runtimeClasses of the cluster decides " +
			"it.",
		Fix:    "add it, or list the runtimeClasses of the cluster in the topology",
		Source: sources.ClassAdmission + ", prepareObjects",
	},
	Silences: placement.Contradictory,
	Checks: []engine.Check{engine.On(collection.PodsWithoutClass, func(p *collection.Pods) []rule.Problem {
		if p.ClassAbsence() != collection.NotAmongObjects || p.OS() != platform.WindowsOS {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
			Detail: "is not among the objects, and the API server refuses the pods unless the cluster has it",
		}}
	})},
}

// NotInCluster is exported because an object that is created later resolves its findings.
var NotInCluster = engine.Rule{
	Rule: rule.Rule{
		ID: "MK417", Severity: rule.Error, Title: "a RuntimeClass that neither the objects nor the cluster have",
		Page: rulepages.RuntimeClasses,
		Reason: "Pods that name a RuntimeClass which does not exist are refused when they are created. The topology " +
			"lists the runtimeClasses of the cluster, and this one is not among them.",
		Fix:    "use a class that exists, or create this one first and add it to the topology",
		Source: sources.ClassAdmission + ", prepareObjects",
	},
	Silences: placement.Contradictory,
	Checks: []engine.Check{engine.On(collection.PodsWithoutClass, func(p *collection.Pods) []rule.Problem {
		if p.ClassAbsence() != collection.NotInCluster {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
			Detail: "is neither among the objects nor among the runtimeClasses of the topology: the API server " +
				"refuses the pods",
		}}
	})},
}
