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
	// Images, what is started in them, and places that contradict each other.
	imageOfAnotherRelease, imageOfAnotherOS, imagesOfDifferentNodes, hostProcessBaseImageElsewhere,
	shellNotInImage, shellOnWindows, placesOfDifferentOS, placesOfDifferentReleases, hostProcessOnLinux,
	imageOfOlderRelease, windows2019Outdated, imageNoLongerPublished,
	// Where pods can land.
	windowsPodsOnLinuxNodes, windowsPodsNotKeptOffLinux, podsFitNoPool, linuxPodsOnWindowsNodes,
	imageNotRunningOnPool, tolerationMissesOnlyPools, osLabelInWrongCase, labelDeprecated, buildUnknown,
	daemonSetPendingOnLinux, daemonSetReliesOnClass, daemonSetWithoutToleration, tolerationMissesPool,
	podsOnBothSystems, windowsPodsOnSeveralReleases, architectureWithoutWindows, podsBuildFromZero,
	// RuntimeClasses, and pods that are refused when they are created, or by the kubelet.
	classNotAmongObjects, selectorAgainstClass, overheadAgainstClass, handlerMalformed, handlerForHyperV,
	osAgainstClass, nonRootWithAdministrator, nonRootWithAdministratorImage, forbiddenByPodSecurity,
	classSelectorMalformed, classTolerationMalformed, classOverheadUnknown, classOverheadImpossible,
	handlerUnknown, classBuildFromZero,
	// What the API server accepts and Windows does not do.
	hugePagesOnWindows, memoryVolumeOnWindows, blockDeviceOnWindows, nfsOnWindows, hostNetworkOnWindows,
	dnsPolicyOnWindows, linuxFieldIgnored, pipeInHostProcess, gracePeriodOnWindows, mountPropagationOnWindows,
	subPathOnWindows, fileModeOnWindows, memoryLimitMissing, hostProcessWithoutUser, hostProcessNonRoot,
	credentialSpecOfInitContainer, fractionOfByte, terminationMessagePathOnWindows, secretVolumeOnWindows,
	controlCharacterInPath, keyTwice,
	// Services of Windows pods.
	externalTrafficPolicyLocal, sessionAffinityClientIP, tooManyEndpoints,
	// What needs a feature that the topology says the cluster lacks.
	loadBalancerLacking, metricsLacking, hostPortLacking, gmsaWebhookLacking, gmsaWebhookUnknown,
	// Clusters of EKS.
	windowsPodsWithoutAddress, windowsIPAMOff, windowsIPAMLacking,
	// The annotations.
	ignoredRuleUnknown, platformAnnotationUnknown, platformAnnotationContradicts,
)
