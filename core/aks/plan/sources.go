package plan

// The pages that the rules come from.
const (
	aks = "https://learn.microsoft.com/azure/aks/"

	createPoolsPage   = aks + "create-node-pools"
	systemPoolsPage   = aks + "use-system-pools"
	windowsFAQPage    = aks + "windows-faq"
	windowsVsLinux    = aks + "windows-vs-linux-containers"
	upgradeWindows    = aks + "upgrade-windows-os"
	versionsPage      = aks + "supported-kubernetes-versions"
	sizesPage         = aks + "quotas-skus-regions"
	addressPage       = aks + "concepts-network-ip-address-planning"
	natPage           = aks + "nat-gateway"
	networkPage       = aks + "concepts-network-cni-overview"
	policyPage        = aks + "use-network-policies"
	labelsPage        = aks + "use-labels"
	spotPage          = aks + "spot-node-pool"
	upgradePage       = aks + "upgrade-aks-node-pools-rolling"
	kubeletConfigPage = aks + "custom-node-configuration"
	gmsaPage          = aks + "use-group-managed-service-accounts"
	authorizedPage    = aks + "api-server-authorized-ip-ranges"
	accountsPage      = aks + "local-accounts"
	kubeloginPage     = aks + "kubelogin-authentication"
	entraPage         = aks + "enable-authentication-microsoft-entra-id"

	clusterAPI = "https://learn.microsoft.com/rest/api/aks/managed-clusters/create-or-update"
	poolAPI    = "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update"
)
