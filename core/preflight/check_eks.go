package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const windowsOnEKS = "https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html"

// vpcController is the source of the conditions under which EKS assigns addresses.
const vpcController = "https://github.com/aws/amazon-vpc-resource-controller-k8s/blob/master/webhooks/core/pod_webhook.go"

var windowsPodsWithoutAddress = rule.Rule{
	ID: "MK870", Severity: rule.Error, Title: "Windows pods on EKS without a node selector for Windows",
	Reason: "The admission webhook of EKS' VPC resource controller requests the IP address for a Windows pod. It " +
		"uses only the node selector of the pod, kubernetes.io/os=windows, and ignores node affinity and os.name. A " +
		"node selector of the RuntimeClass counts, because the API server has added it by then. Without an address " +
		"the pod stays in ContainerCreating with FailedCreatePodSandBox. Pods in the node's network need no address, " +
		"and pods that request vpc.amazonaws.com/PrivateIPv4Address themselves get one.",
	Source: vpcController + ", hasWindowsNodeSelector; the order of admission is AllOrderedPlugins in " +
		"pkg/kubeapiserver/options/plugins.go of Kubernetes 1.36.3",
}

// eks checks the pods of a cluster of EKS.
func (c *check) eks(p *judged) {
	onLinux := func(f Finding) bool { return f.Rule == windowsPodsOnLinuxNodes.ID } // which has the same fix
	if c.context.Topology.Cloud != topology.EKS || !ownNetworkOnWindows(p) || mayHaveAddress(p) ||
		slices.ContainsFunc(c.findings, onLinux) {
		return
	}
	c.report(windowsPodsWithoutAddress, rule.Problem{
		Path:   p.Path("nodeSelector"),
		Detail: "these Windows pods get no IP address: EKS assigns one to pods that select kubernetes.io/os=windows",
		Fix:    "select kubernetes.io/os=windows in nodeSelector",
	})
}

// ownNetworkOnWindows reports whether pods are for Windows and have a network namespace of their own.
func ownNetworkOnWindows(p *judged) bool {
	if p.target.OS() != platform.WindowsOS || tree.IsUnknown(p.Spec["hostNetwork"]) {
		return false
	}
	shared, _ := tree.Bool(p.Spec["hostNetwork"])
	return !shared && !p.HostProcess()
}

// mayHaveAddress reports whether the webhook may request an address for the pods.
func mayHaveAddress(p *judged) bool {
	if tree.IsUnknown(p.Spec["nodeSelector"]) || tree.IsUnknown(p.Spec["runtimeClassName"]) ||
		pods.SelectsWindows(tree.Map(p.Spec["nodeSelector"])) {
		return true
	}
	if p.ClassName() != "" {
		class := p.target.Class
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

var windowsIPAMMissing = rule.Rule{
	ID: "MK872", Severity: rule.Warning, Title: "Windows pods on an EKS cluster that assigns them no IP addresses",
	Reason: "According to the topology, the VPC resource controller assigns no addresses to Windows pods " +
		"(missingFeatures: windows-ipam), and the ConfigMap amazon-vpc-cni with enable-windows-ipam: \"true\" is " +
		"not among the objects: the pods stay in ContainerCreating until it is in the cluster.",
	Source: windowsOnEKS,
}

// ipam reports pods if nothing assigns them addresses according to the topology.
func (c *check) ipam(p *judged, a *Collection) {
	if c.context.Topology.Cloud != topology.EKS || c.context.Topology.Has(topology.WindowsIPAM) || a.windowsIPAM ||
		!ownNetworkOnWindows(p) {
		return
	}
	c.report(windowsIPAMMissing, rule.Problem{
		Path:   p.Path("containers"),
		Detail: "these Windows pods get no IP addresses: nothing in this cluster assigns them any",
		Fix: "add the ConfigMap amazon-vpc-cni to kube-system with enable-windows-ipam: \"true\", or remove " +
			"windows-ipam from missingFeatures in the topology",
	})
}
