package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// clusterWithWindowsRules are about what a cluster with Windows pools cannot have,
// or has on its Linux nodes only.
var clusterWithWindowsRules = []preflight.Rule{
	{
		ID: "MK781", Severity: preflight.Warning, Title: "node auto-provisioning with Windows pools",
		Reason: "Microsoft does not support Windows pools in a cluster with node auto-provisioning. The documentation does not say that Azure refuses them.",
		Source: aks + "node-auto-provisioning",
	},
	{
		ID: "MK782", Severity: preflight.Error, Title: "a network-isolated cluster with Windows pools",
		Reason: "What Linux nodes need to start comes from a private registry there. Windows nodes have no such way.",
		Source: aks + "concepts-network-isolated",
	},
	{
		ID: "MK783", Severity: preflight.Warning, Title: "Image Cleaner with Windows pools",
		Reason: "It cleans Linux nodes only.",
		Source: aks + "image-cleaner",
	},
	{
		ID: "MK784", Severity: preflight.Warning, Title: "certificate authorities with Windows pools",
		Reason: "They are added to the trust store of Linux nodes only.",
		Source: aks + "custom-certificate-authority",
	},
	{
		ID: "MK785", Severity: preflight.Warning, Title: "the Istio add-on with Windows pools",
		Reason: "Its proxy runs in Linux pods only: Windows pods are no part of the mesh.",
		Source: aks + "istio-about",
	},
	{
		ID: "MK786", Severity: preflight.Warning, Title: "an HTTP proxy with Windows pools",
		Reason: "Microsoft does not support it: Azure was seen to make such a cluster, and to refuse its upgrade.",
		Source: aks + "http-proxy, https://github.com/MicrosoftDocs/azure-aks-docs/issues/37",
	},
}
