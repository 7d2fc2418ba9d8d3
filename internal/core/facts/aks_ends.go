package facts

// OptionEnd is an option of a cluster or a pool, the last day of its support, and what to do instead.
type OptionEnd struct {
	Path          []string
	Ends, Instead string
}

// AKSOptionEnds are the options whose support in AKS has ended or will end.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/app-routing
var AKSOptionEnds = []OptionEnd{
	{
		Path: []string{"ingressProfile", "webAppRouting", "enabled"}, Ends: "2026-11-30",
		Instead: "move from its NGINX to an implementation of the Gateway API",
	},
	// The page csi-secrets-store-identity-access.
	{
		Path: []string{"podIdentityProfile", "enabled"}, Ends: "2022-10-24",
		Instead: "use securityProfile.workloadIdentity",
	},
	// The page certificate-rotation: AKS ignores the tag from the next day on.
	{
		Path: []string{"tags", "aks-disable-kubelet-serving-certificate-rotation"}, Ends: "2027-03-31",
		Instead: "remove the tag, and trust the cluster's certificate authority for kubelets",
	},
}
