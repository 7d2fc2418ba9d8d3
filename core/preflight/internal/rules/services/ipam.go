package services

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var ipamRules = []engine.Rule{windowsIPAMMissing}

var windowsIPAMMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK872", Severity: rule.Warning,
		Title: "Windows pods on an EKS cluster that assigns them no IP addresses",
		Page:  rulepages.Networks,
		Reason: "According to the topology, the VPC resource controller assigns no addresses to Windows pods " +
			"(missingFeatures: windows-ipam), and the ConfigMap amazon-vpc-cni with enable-windows-ipam: \"true\" is " +
			"not among the objects: the pods stay in ContainerCreating until it is in the cluster.",
		Fix: "add the ConfigMap amazon-vpc-cni to kube-system with enable-windows-ipam: \"true\", or remove " +
			"windows-ipam from missingFeatures in the topology",
		Source: windowsOnEKS,
	},
	Checks: []engine.Check{engine.On(collection.WindowsPodsWithoutIPAM, func(p *collection.Pods) []rule.Problem {
		return []rule.Problem{{
			Path:   p.Path("containers"),
			Detail: "these Windows pods get no IP addresses: nothing in this cluster assigns them any",
		}}
	})},
}
