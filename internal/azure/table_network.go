package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// networkRules are about the cluster's network.
var networkRules = []preflight.Rule{
	{
		ID: "MK721", Severity: preflight.Error, Title: "an unknown network mode",
		Reason: "Windows nodes need Azure CNI in one of three modes: overlay, pod-subnet and node-subnet.",
		Source: networkPage,
	},
	{
		ID: "MK722", Severity: preflight.Error, Title: "a network plugin that Windows nodes cannot use",
		Reason: "Windows nodes need Azure CNI. The plugin of a cluster stays, so that one without Windows pools can never have any: a warning there.",
		Source: windowsFAQPage,
	},
	{
		ID: "MK723", Severity: preflight.Error, Title: "the Cilium dataplane, which Windows nodes cannot use",
		Reason: "Cilium needs the Linux kernel. The dataplane of a cluster stays, so that one without Windows pools can never have any: a warning there.",
		Source: aks + "azure-cni-powered-by-cilium",
	},
	{
		ID: "MK724", Severity: preflight.Error, Title: "a network policy engine that Windows nodes cannot use",
		Reason: "Calico enforces network policies on Windows nodes, Cilium does not. Azure's own was a preview there, and its support ended on 2026-09-30. That is a warning: a cluster that has it may go on working.",
		Source: policyPage,
	},
	{
		ID: "MK725", Severity: preflight.Error, Title: "a network value that this library does not know",
		Reason: "What is nearly the name of something is misspelled. What is near nothing may be new in Azure: a warning. So is managedNATGatewayV2, which only preview versions of the API have.",
		Source: clusterAPI + ", " + aks + "egress-outboundtype",
	},
	{
		ID: "MK726", Severity: preflight.Error, Title: "mode pod-subnet without its subnets",
		Reason: "Azure makes the subnets of other modes itself. In this one nodes and pods each have a subnet that must be there.",
		Source: aks + "configure-azure-cni-dynamic-ip-allocation",
	},
	{
		ID: "MK727", Severity: preflight.Error, Title: "a subnet for pods that the mode has no use for",
		Reason: "Only in mode pod-subnet do pods have a subnet of their own.",
		Source: networkPage,
	},
	{
		ID: "MK728", Severity: preflight.Error, Title: "disableOutboundNAT before Kubernetes 1.26",
		Reason: "Windows nodes have the setting from Kubernetes 1.26 on.",
		Source: windowsFAQPage,
	},
	{
		ID: "MK729", Severity: preflight.Error, Title: "disableOutboundNAT with the outbound type loadBalancer",
		Reason: "Without the nodes' own translation the addresses of pods need another way out: a NAT gateway or a route.",
		Source: windowsFAQPage,
	},
}
