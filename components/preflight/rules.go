package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/rule"
)

type (
	// Rule is what is checked.
	Rule = rule.Rule
	// Severity says how bad a finding is.
	Severity = rule.Severity
	// Finding is one thing that is wrong with an object.
	Finding = rule.Finding
	// FindingError is a finding as an error.
	FindingError = rule.FindingError
)

// The severities, the worst first.
const (
	Error   = rule.Error
	Warning = rule.Warning
	Info    = rule.Info
)

// Rules returns all rules, in the order of their IDs.
func Rules() []Rule { return slices.Clone(rules) }

// rules are all rules of the package. Nothing writes to it.
var rules = rule.NewSet(
	// What the API server refuses, in its own words.
	osWithoutName, osNotSupported, windowsOptionsOfLinuxPod, versionNotServed, osNameMissing, hostUsersOnWindows,
	hostPIDOnWindows, hostIPCOnWindows, shareProcessNamespaceOnWindows, appArmorProfileOnWindows,
	seLinuxOptionsOnWindows, seLinuxChangePolicyOnWindows, seccompProfileOnWindows, fsGroupOnWindows,
	fsGroupChangePolicyOnWindows, sysctlsOnWindows, runAsUserOnWindows, runAsGroupOnWindows,
	supplementalGroupsOnWindows, supplementalGroupsPolicyOnWindows, capabilitiesOnWindows,
	readOnlyRootFilesystemOnWindows, privilegedOnWindows, allowPrivilegeEscalationOnWindows, procMountOnWindows,
	podResourcesOnWindows, stopSignalUnknown, credentialSpecNameMalformed, credentialSpecEmpty,
	credentialSpecTooLong, userNameEmpty, userNameWithControlCharacters, userNameWithSeveralBackslashes,
	userDomainTooLong, userDomainMalformed, userMissingAfterDomain, userTooLong, userOfPeriodsAndSpaces,
	userWithReservedCharacters, hostProcessDiffers, hostProcessMixed, hostProcessWithoutHostNetwork,
	hostPortDiffers,
	// What it refuses before it looks at what the values mean.
	fieldUnknown, fieldOfOtherVersion, valueOfWrongType, valueMalformed, kindUnknown, versionNotServedByDefault,
	// Images, what is started in them, and places that contradict each other.
	imageOfAnotherRelease, imageOfAnotherOS, imagesOfDifferentNodes, hostProcessBaseImageElsewhere,
	shellNotInImage, shellOnWindows, placesOfDifferentOS, placesOfDifferentReleases, hostProcessOnLinux,
	imageOfOlderRelease, windows2019Outdated, imageNoLongerPublished, imageOfRetiredRelease, imageNameInvalid,
	imageOfAnotherArchitecture,
	manifestOfAnotherArchitecture, digestOfOneRelease, nonRootWithRootImage, nonRootWithNamedUser,
	nonRootWithAdministratorConfigured, hostProcessIndex, pullLongerThanDeadline, slowPull, updateOnOneSide,
	powerShellNotInImage, powerShellOnNanoServer, programNotInImage, programNotOnWindows, driveOnLinux,
	windowsShellOnLinux, commandLineInOneWord,
	// Where pods can land.
	windowsPodsOnLinuxNodes, windowsPodsNotKeptOffLinux, podsFitNoPool, linuxPodsOnWindowsNodes,
	imageNotRunningOnPool, tolerationMissesOnlyPools, osLabelInWrongCase, labelDeprecated, buildUnknown,
	daemonSetPendingOnLinux, daemonSetReliesOnClass, daemonSetWithoutToleration, tolerationMissesPool,
	podsOnBothSystems, windowsPodsOnSeveralReleases, architectureWithoutWindows, podsBuildFromZero, osLabelUnknown,
	// RuntimeClasses, and pods that are refused when they are created, or by the kubelet.
	classNotAmongObjects, selectorAgainstClass, overheadAgainstClass, handlerMalformed, handlerForHyperV,
	osAgainstClass, nonRootWithAdministrator, nonRootWithAdministratorImage, forbiddenByPodSecurity,
	classSelectorMalformed, classTolerationMalformed, classOverheadUnknown, classOverheadImpossible,
	handlerUnknown, classBuildFromZero, knativeFlagNeeded,
	// What the API server accepts and Windows does not do.
	hugePagesOnWindows, memoryVolumeOnWindows, blockDeviceOnWindows, nfsOnWindows, hostNetworkOnWindows,
	dnsPolicyOnWindows, linuxFieldIgnored, pipeInHostProcess, gracePeriodOnWindows, mountPropagationOnWindows,
	subPathOnWindows, fileModeOnWindows, memoryLimitMissing, hostProcessWithoutUser, hostProcessNonRoot,
	credentialSpecOfInitContainer, fractionOfByte, terminationMessagePathOnWindows, secretVolumeOnWindows,
	controlCharacterInPath, volumeTypeOnWindows, imageVolumeOnWindows, linuxHostPath, deviceOnWindows,
	windowsHostPath, driveInMountPath, windowsOptionsIgnored, linuxFileSystemOnWindows, windowsFileSystemOnLinux,
	driverWithoutWindows,
	shareOfTwoVolumes, handleOfTwoShares, hostProcessUnknownUser, powerShellProbeTooShort, scriptWithoutPreStop,
	initContainerNeedsNames, diskTooLarge, csiProxyPipe, autoscalerWithoutRequest, hostAccountIncomplete,
	// What the reader of manifests notes.
	keyTwice,
	// Budgets that keep nodes from being drained.
	noDisruptionAllowed, allReplicasNeeded,
	// Sidecars for Linux in Windows pods.
	istioOnWindows, linkerdOnWindows,
	// Services of Windows pods.
	externalTrafficPolicyLocal, sessionAffinityClientIP, tooManyEndpoints, ipv6Only, internalTrafficPolicyLocal,
	// What needs a feature that the topology says the cluster lacks.
	loadBalancerLacking, metricsLacking, hostPortLacking, gmsaWebhookLacking, gmsaWebhookUnknown,
	networkPolicyLacking,
	// Clusters of EKS.
	windowsPodsWithoutAddress, windowsIPAMOff, windowsIPAMLacking,
	// The annotations.
	ignoredRuleUnknown, platformAnnotationUnknown, platformAnnotationContradicts,
)
