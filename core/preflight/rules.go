package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
)

type (
	// Rule describes something that a check verifies.
	Rule = rule.Rule
	// Severity is how serious a finding is.
	Severity = rule.Severity
	// Finding is one problem with an object.
	Finding = rule.Finding
	// FindingError is a finding as an error.
	FindingError = rule.FindingError
)

// The severities, most severe first.
const (
	Error   = rule.Error
	Warning = rule.Warning
	Info    = rule.Info
)

// Rules returns all rules, in the order of their IDs.
func Rules() []Rule { return slices.Clone(rules) }

// rules are all rules of the package. The variable is read-only.
var rules = rule.NewSet(
	// Refused by the API server, in its own words.
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
	hostPortDiffers, podWithoutContainers,
	// Refused before the API server validates the values.
	fieldUnknown, fieldOfOtherVersion, valueOfWrongType, valueMalformed, kindUnknown, versionNotServedByDefault,
	// Images, programs in them, and claims that contradict each other.
	imageOfAnotherRelease, imageOfAnotherOS, imagesOfDifferentNodes, hostProcessBaseImageMisused,
	shellNotInImage, shellOnWindows, placesOfDifferentOS, placesOfDifferentReleases, hostProcessOnLinux,
	imageOfOlderRelease, windows2019Outdated, imageNoLongerPublished, imageOfRetiredRelease, imageNameInvalid,
	imageOfAnotherArchitecture,
	manifestOfAnotherArchitecture, digestOfOneRelease, nonRootWithRootImage, nonRootWithNamedUser,
	nonRootWithAdministratorConfigured, hostProcessIndex, pullLongerThanDeadline, slowPull, updateOnOneSide,
	powerShellNotInImage, powerShellOnNanoServer, programNotInImage, programNotOnWindows, driveOnLinux,
	windowsShellOnLinux, commandLineInOneWord,
	// Where pods can land.
	windowsPodsOnLinuxNodes, windowsPodsNotExcludedFromLinux, podsFitNoPool, linuxPodsOnWindowsNodes,
	imageNotRunningOnPool, tolerationMissesOnlyPools, osLabelInWrongCase, labelDeprecated, buildUnknown,
	daemonSetPendingOnLinux, daemonSetReliesOnClass, daemonSetWithoutToleration, tolerationMissesPool,
	podsOnBothSystems, windowsPodsOnSeveralReleases, architectureWithoutWindows, podsBuildFromZero, osLabelUnknown,
	podsStranded,
	// RuntimeClasses, and pods that are refused when they are created, or by the kubelet.
	classNotAmongObjects, classNotInCluster, selectorAgainstClass, overheadAgainstClass, handlerMalformed,
	handlerForHyperV,
	osAgainstClass, nonRootWithAdministrator, nonRootWithAdministratorImage, forbiddenByPodSecurity,
	classSelectorMalformed, classTolerationMalformed, classOverheadUnknown, classOverheadImpossible,
	handlerUnknown, classBuildFromZero, knativeFlagNeeded, selectsNoPlannedPool,
	// Accepted by the API server, but without effect on Windows.
	hugePagesOnWindows, memoryVolumeOnWindows, blockDeviceOnWindows, nfsOnWindows, hostNetworkOnWindows,
	dnsPolicyOnWindows, linuxFieldIgnored, pipeInHostProcess, gracePeriodOnWindows, mountPropagationOnWindows,
	subPathOnWindows, fileModeOnWindows, memoryLimitMissing, hostProcessWithoutUser, hostProcessNonRoot,
	credentialSpecOfInitContainer, fractionOfByte, terminationMessagePathOnWindows, secretVolumeOnWindows,
	controlCharacterInPath, volumeTypeOnWindows, imageVolumeOnWindows, linuxHostPath, deviceOnWindows,
	windowsHostPath, driveInMountPath, windowsOptionsIgnored, linuxFileSystemOnWindows, windowsFileSystemOnLinux,
	driverWithoutWindows,
	shareOfTwoVolumes, handleOfTwoShares, hostProcessUnknownUser, powerShellProbeTooShort, scriptWithoutPreStop,
	initContainerNeedsNames, diskTooLarge, csiProxyPipe, autoscalerWithoutRequest, hostAccountIncomplete,
	accountNameTooLong, podLogsOfUser, accountBeforeUpdate,
	// Reported by the reader of manifests.
	keyTwice,
	// Budgets that keep nodes from being drained.
	noDisruptionAllowed, allReplicasNeeded,
	// Sidecars for Linux in Windows pods.
	istioOnWindows, linkerdOnWindows,
	// Services of Windows pods.
	externalTrafficPolicyLocal, sessionAffinityClientIP, tooManyEndpoints, ipv6Only, internalTrafficPolicyLocal,
	// Features that the topology lists as missing.
	loadBalancerMissing, metricsMissing, hostPortMissing, gmsaWebhookMissing, gmsaWebhookUnknown,
	networkPolicyMissing,
	// Clusters of EKS.
	windowsPodsWithoutAddress, windowsIPAMOff, windowsIPAMMissing,
	// The annotations.
	ignoredRuleUnknown, platformAnnotationUnknown, platformAnnotationContradicts, markUnreadable,
)
