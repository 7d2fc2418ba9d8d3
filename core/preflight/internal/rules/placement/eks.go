package placement

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var eksRules = []engine.Rule{windowsPodsWithoutAddress}

// vpcController is the source of the conditions under which EKS assigns addresses.
const vpcController = "https://github.com/aws/amazon-vpc-resource-controller-k8s/blob/master/webhooks/core/pod_webhook.go"

var windowsPodsWithoutAddress = engine.Rule{
	Rule: rule.Rule{
		ID: "MK870", Severity: rule.Error, Title: "Windows pods on EKS without a node selector for Windows",
		Page: rulepages.Networks,
		Reason: "The admission webhook of EKS' VPC resource controller requests the IP address for a Windows pod. It " +
			"uses only the node selector of the pod, kubernetes.io/os=windows, and ignores node affinity and " +
			"os.name. A node selector of the RuntimeClass counts, because the API server has added it by then. " +
			"Without an address the pod stays in ContainerCreating with FailedCreatePodSandBox. Pods in the node's " +
			"network need no address, and pods that request vpc.amazonaws.com/PrivateIPv4Address themselves get one.",
		Fix: "select kubernetes.io/os=windows in nodeSelector",
		Source: vpcController + ", hasWindowsNodeSelector; the order of admission is AllOrderedPlugins in " +
			"pkg/kubeapiserver/options/plugins.go of Kubernetes 1.36.3",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		if p.Cluster.Topology.Cloud != topology.EKS || !p.OwnNetworkOnWindows() || mayHaveAddress(p) {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("nodeSelector"),
			Detail: "these Windows pods get no IP address: EKS assigns one to pods that select " +
				"kubernetes.io/os=windows",
		}}
	})},
}

// mayHaveAddress reports whether the webhook may request an address for the pods.
func mayHaveAddress(p *subject.Pods) bool {
	if tree.IsUnknown(p.Spec["nodeSelector"]) || tree.IsUnknown(p.Spec["runtimeClassName"]) ||
		pods.SelectsWindows(tree.Map(p.Spec["nodeSelector"])) {
		return true
	}
	if p.ClassName() != "" {
		class := p.Target.Class
		// The selector of an unknown class is unknown.
		return class == nil || !class.Complete || pods.SelectsWindows(class.Selector)
	}
	return slices.ContainsFunc(p.Containers, func(ctr pods.Container) bool {
		resources := tree.Map(ctr.Spec["resources"])
		return tree.IsUnknown(ctr.Spec["resources"]) || tree.IsUnknown(resources["limits"]) ||
			tree.Map(resources["limits"])[privateIPv4] != nil
	})
}

// privateIPv4 is the resource that stands for an address.
const privateIPv4 = "vpc.amazonaws.com/PrivateIPv4Address"
