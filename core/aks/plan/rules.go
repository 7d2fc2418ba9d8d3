package plan

import (
	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules, sorted by ID. They include those of package support.
func Rules() rule.Set { return engine.Described(checked) }

// checked are all rules of the package, and of package support. Nothing writes to it.
var checked = append(support.Checked(),
	// Names of clusters and pools, pools of mode System.
	poolNameMalformed, poolNameTooLong, poolNameWithoutRoom, systemPoolMissing, tooFewSystemPods,
	burstableSystemPool, systemPoolTaint, poolNamesMeet, clusterNameMalformed,
	clusterNameReserved, nodeGroupTooLong, nodeGroupOfCluster,
	// Versions of Kubernetes, and osSKU.
	versionMissing, skuWithoutFIPS, skuAgainstPlatform, skuUnknown,
	// The network.
	networkModeUnknown, pluginWithoutWindows, dataplaneWithoutWindows, policyWithoutWindows, networkValueUnknown,
	podSubnetMissing, podSubnetUnused, outboundNATTooEarly, outboundNATNeeded,
	outboundAgainstSubnet,
	// Nodes: how many, their pods, upgrades, labels and spot.
	maxPodsOutside, countOutside, surgeTooLarge, waitTooLong, unavailableSystemNodes, upgradeOfNoNode, labelReserved,
	spotPriceTooFine, zoneUnknown, ephemeralDiskWithoutRoom,
	// Options of Windows pools.
	trustedLaunchOnWindows, artifactStreamingOnWindows, gpuPartitionsOnWindows, linuxConfigOnWindows,
	messageOfTheDayOnWindows, runtimeOnWindows, kubeletSettingOnWindows,
	// The administrator of the Windows nodes, and gMSA.
	gmsaDomainMalformed, usernameMalformed, usernameRefused, passwordMissing, passwordLength, passwordTooPlain,
	passwordRefused, licenseUnknown, gmsaDomainIncomplete, gmsaNotEnabled,
	// The API server, and the login.
	rangesOfPrivateServer, rangeMalformed, noAccounts, openAPIServer,
	loginNeedsBrowser, adminWithoutLocalAccounts, loginWithoutEntraID, loginModeUnknown, loginSettingUnused,
	// Other resources, and clusters that do not exist yet.
	notTheID, versionNotOffered, zoneWithoutIdentity, policyWithoutDataplane, serviceAddressInvalid,
	// Options that are passed through.
	clusterOptionDecided, poolOptionDecided, optionsOfNoPool, firstPoolSecurityProfile,
	evictionWithoutSpot,
	// Clusters with Windows pools.
	autoProvisioningWithWindows, isolatedWithWindows, imageCleanerWithWindows, authoritiesWithWindows,
	istioWithWindows, proxyWithWindows,
	// Sizes of machines, and clusters in Azure.
	sizeMissing, sizeTooSmall, sizeOfGeneration2, windowsProfileDiffers, firstPoolLeft, firstPoolOlder,
	// Existing clusters and pools.
	windowsProfileMissing, retainedPoolDiffers, versionMoved, poolWithoutImport, poolImportMismatch, poolNameExists,
	platformUnknown, takeoverOpens,
)

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
