package plan

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
