package plan

import (
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules, in the order of their IDs.
func Rules() rule.Set { return engine.Described(checked) }

// checked are all rules of the package. Nothing writes to it.
var checked = []engine.Rule{
	clusterNameMalformed, controlPlaneCount,
	// Pools and their machines.
	poolCalledControlPlane, windowsNameTooLong, sizeMissing, arm64Refused, settingOfAKS, imageIncomplete,
	optionsOfNoPool, securityTypeUnknown, noTrustedLaunch, secureBootWithTestDriver, patchModeUnknown,
	patchesNotOfImage,
	// The network in Azure.
	sourceMalformed, servicePortImpossible, networkNotInAzure, rangeTooSmall, tooManyMachines, azureDNSBlocked,
	// Keys and administrators.
	keysMalformed, generationImpossible, keyChanged, stepMissing, sshKeyRefused,
	usernameRefused, windowsPasswordMissing, windowsPasswordRefused, licenseUnknown,
	// Where the cluster of a joining pool is, and how its nodes join.
	placeMissing, refusedByBootstrap,
	// The API server.
	argumentRefused, optionRefused, openAPIServer,
}

// The pages that the rules come from.
const (
	// ownSource is the source of rules that this library itself needs.
	ownSource = "this library"

	azurePages = "https://learn.microsoft.com/azure/"

	limitsPage         = azurePages + "azure-resource-manager/management/azure-subscription-service-limits"
	machineAPI         = "https://learn.microsoft.com/rest/api/compute/virtual-machines/create-or-update"
	namesPage          = azurePages + "azure-resource-manager/management/resource-name-rules#microsoftcompute"
	securityGroupsPage = azurePages + "virtual-network/network-security-groups-overview"
	sizeNamesPage      = azurePages + "virtual-machines/vm-naming-conventions"
	trustedLaunchPage  = azurePages + "virtual-machines/trusted-launch"
	guestPatchingPage  = azurePages + "virtual-machines/automatic-vm-guest-patching"
	subnetsPage        = azurePages + "virtual-network/virtual-networks-faq"
)
