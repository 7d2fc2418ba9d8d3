package azure

import (
	"reflect"

	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/authorization/armauthorization/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v6"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/msi/armmsi"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v7"
)

// enums are the values of all enumerations that bodies can have. A test sees that
// none is missing.
var enums = enumTable(
	possible(armauthorization.PossiblePrincipalTypeValues),
	possible(armcontainerservice.PossibleAdvancedNetworkPoliciesValues),
	possible(armcontainerservice.PossibleAgentPoolModeValues),
	possible(armcontainerservice.PossibleAgentPoolSSHAccessValues),
	possible(armcontainerservice.PossibleAgentPoolTypeValues),
	possible(armcontainerservice.PossibleArtifactSourceValues),
	possible(armcontainerservice.PossibleBackendPoolTypeValues),
	possible(armcontainerservice.PossibleCodeValues),
	possible(armcontainerservice.PossibleCreatedByTypeValues),
	possible(armcontainerservice.PossibleExpanderValues),
	possible(armcontainerservice.PossibleExtendedLocationTypesValues),
	possible(armcontainerservice.PossibleGPUDriverValues),
	possible(armcontainerservice.PossibleGPUInstanceProfileValues),
	possible(armcontainerservice.PossibleIPFamilyValues),
	possible(armcontainerservice.PossibleIstioIngressGatewayModeValues),
	possible(armcontainerservice.PossibleKeyVaultNetworkAccessTypesValues),
	possible(armcontainerservice.PossibleKubeletDiskTypeValues),
	possible(armcontainerservice.PossibleKubernetesSupportPlanValues),
	possible(armcontainerservice.PossibleLicenseTypeValues),
	possible(armcontainerservice.PossibleLoadBalancerSKUValues),
	possible(armcontainerservice.PossibleLocalDNSForwardDestinationValues),
	possible(armcontainerservice.PossibleLocalDNSForwardPolicyValues),
	possible(armcontainerservice.PossibleLocalDNSModeValues),
	possible(armcontainerservice.PossibleLocalDNSProtocolValues),
	possible(armcontainerservice.PossibleLocalDNSQueryLoggingValues),
	possible(armcontainerservice.PossibleLocalDNSServeStaleValues),
	possible(armcontainerservice.PossibleLocalDNSStateValues),
	possible(armcontainerservice.PossibleManagedClusterPodIdentityProvisioningStateValues),
	possible(armcontainerservice.PossibleManagedClusterSKUNameValues),
	possible(armcontainerservice.PossibleManagedClusterSKUTierValues),
	possible(armcontainerservice.PossibleNetworkDataplaneValues),
	possible(armcontainerservice.PossibleNetworkModeValues),
	possible(armcontainerservice.PossibleNetworkPluginValues),
	possible(armcontainerservice.PossibleNetworkPluginModeValues),
	possible(armcontainerservice.PossibleNetworkPolicyValues),
	possible(armcontainerservice.PossibleNginxIngressControllerTypeValues),
	possible(armcontainerservice.PossibleNodeOSUpgradeChannelValues),
	possible(armcontainerservice.PossibleNodeProvisioningDefaultNodePoolsValues),
	possible(armcontainerservice.PossibleNodeProvisioningModeValues),
	possible(armcontainerservice.PossibleOSDiskTypeValues),
	possible(armcontainerservice.PossibleOSSKUValues),
	possible(armcontainerservice.PossibleOSTypeValues),
	possible(armcontainerservice.PossibleOutboundTypeValues),
	possible(armcontainerservice.PossiblePodIPAllocationModeValues),
	possible(armcontainerservice.PossibleProtocolValues),
	possible(armcontainerservice.PossiblePublicNetworkAccessValues),
	possible(armcontainerservice.PossibleResourceIdentityTypeValues),
	possible(armcontainerservice.PossibleRestrictionLevelValues),
	possible(armcontainerservice.PossibleScaleDownModeValues),
	possible(armcontainerservice.PossibleScaleSetEvictionPolicyValues),
	possible(armcontainerservice.PossibleScaleSetPriorityValues),
	possible(armcontainerservice.PossibleServiceMeshModeValues),
	possible(armcontainerservice.PossibleUndrainableNodeBehaviorValues),
	possible(armcontainerservice.PossibleUpgradeChannelValues),
	possible(armcontainerservice.PossibleWorkloadRuntimeValues),
	possible(armmsi.PossibleCreatedByTypeValues),
	possible(armmsi.PossibleIsolationScopeValues),
	possible(armnetwork.PossibleAccessModeValues),
	possible(armnetwork.PossibleDdosSettingsProtectionModeValues),
	possible(armnetwork.PossibleDeleteOptionsValues),
	possible(armnetwork.PossibleExtendedLocationTypesValues),
	possible(armnetwork.PossibleFlowLogFormatTypeValues),
	possible(armnetwork.PossibleGatewayLoadBalancerTunnelInterfaceTypeValues),
	possible(armnetwork.PossibleGatewayLoadBalancerTunnelProtocolValues),
	possible(armnetwork.PossibleIPAllocationMethodValues),
	possible(armnetwork.PossibleIPVersionValues),
	possible(armnetwork.PossibleLoadBalancerBackendAddressAdminStateValues),
	possible(armnetwork.PossibleLoadBalancerOutboundRuleProtocolValues),
	possible(armnetwork.PossibleLoadBalancerSKUNameValues),
	possible(armnetwork.PossibleLoadBalancerSKUTierValues),
	possible(armnetwork.PossibleLoadBalancerScopeValues),
	possible(armnetwork.PossibleLoadDistributionValues),
	possible(armnetwork.PossibleNatGatewaySKUNameValues),
	possible(armnetwork.PossibleNetworkInterfaceAuxiliaryModeValues),
	possible(armnetwork.PossibleNetworkInterfaceAuxiliarySKUValues),
	possible(armnetwork.PossibleNetworkInterfaceMigrationPhaseValues),
	possible(armnetwork.PossibleNetworkInterfaceNicTypeValues),
	possible(armnetwork.PossiblePrivateEndpointVNetPoliciesValues),
	possible(armnetwork.PossibleProbeNoHealthyBackendsBehaviorValues),
	possible(armnetwork.PossibleProbeProtocolValues),
	possible(armnetwork.PossibleProvisioningStateValues),
	possible(armnetwork.PossiblePublicIPAddressDNSSettingsDomainNameLabelScopeValues),
	possible(armnetwork.PossiblePublicIPAddressMigrationPhaseValues),
	possible(armnetwork.PossiblePublicIPAddressSKUNameValues),
	possible(armnetwork.PossiblePublicIPAddressSKUTierValues),
	possible(armnetwork.PossibleResourceIdentityTypeValues),
	possible(armnetwork.PossibleRouteNextHopTypeValues),
	possible(armnetwork.PossibleSecurityRuleAccessValues),
	possible(armnetwork.PossibleSecurityRuleDirectionValues),
	possible(armnetwork.PossibleSecurityRuleProtocolValues),
	possible(armnetwork.PossibleSharingScopeValues),
	possible(armnetwork.PossibleSyncModeValues),
	possible(armnetwork.PossibleTransportProtocolValues),
	possible(armnetwork.PossibleVirtualNetworkEncryptionEnforcementValues),
	possible(armnetwork.PossibleVirtualNetworkPeeringLevelValues),
	possible(armnetwork.PossibleVirtualNetworkPeeringStateValues),
	possible(armnetwork.PossibleVirtualNetworkPrivateEndpointNetworkPoliciesValues),
	possible(armnetwork.PossibleVirtualNetworkPrivateLinkServiceNetworkPoliciesValues),
	possible(armcompute.PossibleAllocationStrategyValues),
	possible(armcompute.PossibleCachingTypesValues),
	possible(armcompute.PossibleDeleteOptionsValues),
	possible(armcompute.PossibleDiffDiskOptionsValues),
	possible(armcompute.PossibleDiffDiskPlacementValues),
	possible(armcompute.PossibleDiskControllerTypesValues),
	possible(armcompute.PossibleDiskCreateOptionTypesValues),
	possible(armcompute.PossibleDiskDeleteOptionTypesValues),
	possible(armcompute.PossibleDiskDetachOptionTypesValues),
	possible(armcompute.PossibleDomainNameLabelScopeTypesValues),
	possible(armcompute.PossibleExtendedLocationTypesValues),
	possible(armcompute.PossibleHyperVGenerationTypeValues),
	possible(armcompute.PossibleIPVersionValues),
	possible(armcompute.PossibleIPVersionsValues),
	possible(armcompute.PossibleLinuxPatchAssessmentModeValues),
	possible(armcompute.PossibleLinuxVMGuestPatchAutomaticByPlatformRebootSettingValues),
	possible(armcompute.PossibleLinuxVMGuestPatchModeValues),
	possible(armcompute.PossibleMaintenanceOperationResultCodeTypesValues),
	possible(armcompute.PossibleModeValues),
	possible(armcompute.PossibleModesValues),
	possible(armcompute.PossibleNetworkAPIVersionValues),
	possible(armcompute.PossibleNetworkInterfaceAuxiliaryModeValues),
	possible(armcompute.PossibleNetworkInterfaceAuxiliarySKUValues),
	possible(armcompute.PossibleOperatingSystemTypesValues),
	possible(armcompute.PossibleOrchestrationModeValues),
	possible(armcompute.PossiblePatchOperationStatusValues),
	possible(armcompute.PossibleProtocolTypesValues),
	possible(armcompute.PossiblePublicIPAddressSKUNameValues),
	possible(armcompute.PossiblePublicIPAddressSKUTierValues),
	possible(armcompute.PossiblePublicIPAllocationMethodValues),
	possible(armcompute.PossibleRebalanceBehaviorValues),
	possible(armcompute.PossibleRebalanceStrategyValues),
	possible(armcompute.PossibleRepairActionValues),
	possible(armcompute.PossibleResourceIdentityTypeValues),
	possible(armcompute.PossibleSecurityEncryptionTypesValues),
	possible(armcompute.PossibleSecurityTypesValues),
	possible(armcompute.PossibleSettingNamesValues),
	possible(armcompute.PossibleStatusLevelTypesValues),
	possible(armcompute.PossibleStorageAccountTypesValues),
	possible(armcompute.PossibleUpgradeModeValues),
	possible(armcompute.PossibleVirtualMachineEvictionPolicyTypesValues),
	possible(armcompute.PossibleVirtualMachinePriorityTypesValues),
	possible(armcompute.PossibleVirtualMachineScaleSetScaleInRulesValues),
	possible(armcompute.PossibleWindowsPatchAssessmentModeValues),
	possible(armcompute.PossibleWindowsVMGuestPatchAutomaticByPlatformRebootSettingValues),
	possible(armcompute.PossibleWindowsVMGuestPatchModeValues),
	possible(armcompute.PossibleZonalPlatformFaultDomainAlignModeValues),
	possible(armcompute.PossibleZonePlacementPolicyTypeValues),
	// Azure has these since the SDK was made (API version 2025-09-01).
	enum{reflect.TypeFor[armcontainerservice.OSSKU](), []string{
		"Windows2025", "WindowsAnnual", "Ubuntu2404", "AzureLinuxOSGuard", "Flatcar",
	}},
)

// openEnums are those of which the SDK has some values only: size.go knows the sizes.
var openEnums = []reflect.Type{reflect.TypeFor[armcompute.VirtualMachineSizeTypes]()}

type enum struct {
	of     reflect.Type
	values []string
}

func possible[T ~string](values func() []T) enum {
	e := enum{of: reflect.TypeFor[T]()}
	for _, v := range values() {
		e.values = append(e.values, string(v))
	}
	return e
}

func enumTable(list ...enum) map[reflect.Type][]string {
	table := map[reflect.Type][]string{}
	for _, e := range list {
		table[e.of] = append(table[e.of], e.values...)
	}
	return table
}
