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
	versionMissing, skuWithoutFIPS, skuNeverFIPS, skuAgainstPlatform, skuUnknown,
	// The network.
	networkModeUnknown, pluginWithoutWindows, dataplaneWithoutWindows, policyWithoutWindows, networkValueUnknown,
	podSubnetMissing, podSubnetUnused, podSubnetTwoModes, outboundNATTooEarly, outboundNATNeeded,
	outboundAgainstSubnet,
	// Nodes: how many, their pods, upgrades, labels and spot.
	maxPodsOutside, countOutside, surgeTooLarge, waitOutside, unavailableSystemNodes, upgradeOfNoNode, labelReserved,
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
	notTheID, versionNotOffered, zoneWithoutIdentity, policyWithoutDataplane,
	// Addresses of pods and Services.
	serviceAddressInvalid, rangeReserved, rangesOverlap, podRangeTooSmall, podRangePublic, familiesDiffer,
	// Options that are passed through.
	clusterOptionDecided, poolOptionDecided, optionsOfNoPool, firstPoolSecurityProfile,
	evictionWithoutSpot,
	// Clusters with Windows pools.
	autoProvisioningWithWindows, isolatedWithWindows, imageCleanerWithWindows, authoritiesWithWindows,
	istioWithWindows, openServiceMeshWithWindows, proxyWithWindows, automaticWithWindows, channelWithoutWindows,
	// Options of all clusters.
	basicLoadBalancer, outboundNumbers, identityNeeded, integrationSubnet, zoneNamed, tierTooLow, channelsDiffer,
	identityWithoutIssuer, networksDiffer, optionOutside, tooManyRanges, oneSystemNode, securityWithoutCilium,
	addressesOutsideRanges, longTermWithOldUbuntu, overlayNameTooLong, subdomainWithoutZone, optionsExclude, optionEnds,
	overrideWithoutEnd, certificatesTooLarge,
	// Options of all pools.
	containerLinuxConditions, poolTypeUnsupported, diskSizeOutside, systemPoolStopped, deallocatedEphemeral,
	kubeletThresholds, zonesOfOnePlace, localDNSOnWindows, confidentialOnWindows, gpuOnWindows, driverTag,
	sizeUnsupported, spotWithoutAutoscaling, featuresExclude,
	// Sizes of machines, and clusters in Azure.
	sizeMissing, sizeTooSmall, sizeOfGeneration2, windowsProfileDiffers, firstPoolLeft, firstPoolOlder,
	// Existing clusters and pools.
	windowsProfileMissing, retainedPoolDiffers, versionMoved, poolWithoutImport, poolImportMismatch, poolNameExists,
	platformUnknown, takeoverOpens, changeRefused, basicLoadBalancerInAzure, changeUnknown, inPlaceWithoutName,
	inPlaceRefused, inPlaceByHand, changesInPlace,
)

// index has the checks of the rules.
var index = engine.NewIndex(checked...)

// find returns what the rules find in a subject.
func find[S any](subject S) rule.Findings { return engine.Find(index, subject) }
