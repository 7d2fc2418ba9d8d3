package facts

import "slices"

// OptionEnd is an option of a cluster or a pool, and the day on which its support ends.
type OptionEnd struct {
	// Path is a property of a cluster or of a pool in Azure's API, or one below it with dots.
	Path string
	// Value is the value that ends. If it is empty, that is true.
	Value string
	// OS limits it to the nodes with an operating system.
	OS   string
	Ends string
	// Instead is what to do instead. It is empty if a rule of its own reports the option.
	Instead string
}

// AKSOptionEnds are the options whose support in AKS has ended or will end, each with the page that has the day.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/app-routing
var AKSOptionEnds = []OptionEnd{
	{
		Path: "ingressProfile.webAppRouting.enabled", Ends: "2026-11-30",
		Instead: "move from its NGINX to an implementation of the Gateway API",
	},
	// The page csi-secrets-store-identity-access.
	{Path: "podIdentityProfile.enabled", Ends: "2022-10-24", Instead: "use securityProfile.workloadIdentity"},
	// The page certificate-rotation: AKS ignores the tag from this day on.
	{
		Path: "tags.aks-disable-kubelet-serving-certificate-rotation", Ends: "2027-04-01",
		Instead: "remove the tag, and trust the cluster's certificate authority for kubelets",
	},
	// The page open-service-mesh-about.
	{Path: "addonProfiles.openServiceMesh.enabled", Ends: "2027-09-30", Instead: "move to the Istio add-on"},
	// The page use-network-policies.
	{Path: "networkProfile.networkPolicy", Value: "azure", OS: "Windows", Ends: "2026-09-30"},
	{Path: "networkProfile.networkPolicy", Value: "azure", Ends: "2028-09-30", Instead: "move to cilium"},
	// The page availability-sets-on-aks.
	{Path: "type", Value: "AvailabilitySet", Ends: "2025-09-30"},
	// The page use-nvidia-gpu: AKS refuses the tag from this day on.
	{Path: "tags.SkipGPUDriverInstall", Ends: "2025-08-14"},
}

// AKSOptionEnd returns the end of an option. It is the zero value if AKSOptionEnds does not have it.
func AKSOptionEnd(path, os string) OptionEnd {
	i := slices.IndexFunc(AKSOptionEnds, func(e OptionEnd) bool { return e.Path == path && e.OS == os })
	if i < 0 {
		return OptionEnd{}
	}
	return AKSOptionEnds[i]
}
