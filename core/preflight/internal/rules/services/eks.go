package services

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var eksRules = []engine.Rule{windowsIPAMOff}

const windowsOnEKS = "https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html"

// windowsIPAMOff looks at the ConfigMap of the VPC CNI plugin. Keys that it does not set stay unchanged in the cluster.
var windowsIPAMOff = engine.Rule{
	Rule: rule.Rule{
		ID: "MK871", Severity: rule.Error, Title: "a ConfigMap that disables the IP addresses of Windows pods",
		Page: rulepages.Networks,
		Reason: "On EKS, Windows pods get IP addresses only while the ConfigMap amazon-vpc-cni in kube-system has " +
			"enable-windows-ipam: \"true\". With false, or a value that is not a boolean, all pods on the Windows " +
			"pools of the topology stay in ContainerCreating.",
		Fix:    `write "true", in quotes`,
		Source: windowsOnEKS,
	},
	Checks: []engine.Check{engine.On(subject.OtherObjects, func(o *subject.Object) []rule.Problem {
		if o.Cluster.Topology.Cloud != topology.EKS || len(o.Cluster.WindowsPlatforms()) == 0 ||
			subject.IsVPCConfig(o.Tree) != platform.Yes {
			return nil
		}
		value := tree.Map(o.Tree["data"])[subject.WindowsIPAM]
		if text, written := tree.Text(value); !written || subject.SwitchedOn(text) {
			return nil
		}
		return []rule.Problem{{
			Path: "data[" + subject.WindowsIPAM + "]", Value: value,
			Detail: "disables the IP addresses of Windows pods",
		}}
	})},
}
