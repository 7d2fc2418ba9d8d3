package services

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var verticalRules = []engine.Rule{verticalAutoscalerOnWindows}

var verticalAutoscalerOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK572", Severity: rule.Warning, Title: "a VerticalPodAutoscaler for Windows pods on AKS",
		Page: rulepages.Autoscaling,
		Reason: "The VerticalPodAutoscaler of AKS does not support Windows containers. With the mode Off it only " +
			"recommends, and changes no pods. The rule checks clusters whose topology has the cloud aks.",
		Fix:    "set it to Off, or remove the VerticalPodAutoscaler",
		Source: "https://learn.microsoft.com/azure/aks/vertical-pod-autoscaler#limitations-and-considerations",
	},
	Checks: []engine.Check{engine.On(collection.VerticalAutoscalers, func(o *collection.Object) []rule.Problem {
		v := tree.At(o.Tree["spec"], "updatePolicy", "updateMode")
		if mode, _ := tree.Text(v); mode == "Off" || tree.IsUnknown(v) || o.Cluster.Topology.Cloud != topology.AKS {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.updatePolicy.updateMode", Value: v,
			Detail: "changes the requests of Windows pods, which the VerticalPodAutoscaler of AKS does not support",
		}}
	})},
}
