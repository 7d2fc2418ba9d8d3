package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/classes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/fields"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/images"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/services"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/volumes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
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

// checked are the rules with their checks.
var checked = slices.Concat(
	fields.Rules(), images.Rules(), placement.Rules(), volumes.Rules(), classes.Rules(), services.Rules(),
)

// The checks of each kind of subject.
var (
	objectChecks = engine.New[*subject.Object](checked...)
	podChecks    = engine.New[*subject.Pods](checked...)
)

// rules are all rules of the package. The variable is read-only.
var rules = rule.NewSet(append(engine.Described(checked),
	osWithoutName,
	osNotSupported,
	windowsOptionsOfLinuxPod,
	versionNotServed,
	osNameMissing,
	hostUsersOnWindows,
	hostPIDOnWindows,
	hostIPCOnWindows,
	shareProcessNamespaceOnWindows,
	appArmorProfileOnWindows,
	seLinuxOptionsOnWindows,
	seLinuxChangePolicyOnWindows,
	seccompProfileOnWindows,
	fsGroupOnWindows,
	fsGroupChangePolicyOnWindows,
	sysctlsOnWindows,
	runAsUserOnWindows,
	runAsGroupOnWindows,
	supplementalGroupsOnWindows,
	supplementalGroupsPolicyOnWindows,
	capabilitiesOnWindows,
	readOnlyRootFilesystemOnWindows,
	privilegedOnWindows,
	allowPrivilegeEscalationOnWindows,
	procMountOnWindows,
	podResourcesOnWindows,
	stopSignalUnknown,
	credentialSpecNameMalformed,
	credentialSpecEmpty,
	credentialSpecTooLong,
	userNameEmpty,
	userNameWithControlCharacters,
	userNameWithSeveralBackslashes,
	userDomainTooLong,
	userDomainMalformed,
	userMissingAfterDomain,
	userTooLong,
	userOfPeriodsAndSpaces,
	userWithReservedCharacters,
	hostProcessDiffers,
	hostProcessMixed,
	hostProcessWithoutHostNetwork,
	hostPortDiffers,
	podWithoutContainers,
	fieldUnknown,
	fieldOfOtherVersion,
	valueOfWrongType,
	valueMalformed,
	kindUnknown,
	versionNotServedByDefault,
	imageOfAnotherRelease,
	imageOfAnotherOS,
	imagesOfDifferentNodes,
	hostProcessBaseImageMisused,
	shellNotInImage,
	shellOnWindows,
	placesOfDifferentOS,
	placesOfDifferentReleases,
	hostProcessOnLinux,
	imageOfOlderRelease,
	windows2019Outdated,
	imageNoLongerPublished,
	imageOfRetiredRelease,
	imageNameInvalid,
	imageOfAnotherArchitecture,
	manifestOfAnotherArchitecture,
	digestOfOneRelease,
	nonRootWithRootImage,
	nonRootWithNamedUser,
	nonRootWithAdministratorConfigured,
	hostProcessIndex,
	pullLongerThanDeadline,
	slowPull,
	updateOnOneSide,
	powerShellNotInImage,
	powerShellOnNanoServer,
	programNotInImage,
	programNotOnWindows,
	driveOnLinux,
	windowsShellOnLinux,
	commandLineInOneWord,
	windowsPodsOnLinuxNodes,
	windowsPodsNotExcludedFromLinux,
	podsFitNoPool,
	linuxPodsOnWindowsNodes,
	imageNotRunningOnPool,
	tolerationMissesOnlyPools,
	osLabelInWrongCase,
	labelDeprecated,
	buildUnknown,
	daemonSetPendingOnLinux,
	daemonSetReliesOnClass,
	daemonSetWithoutToleration,
	tolerationMissesPool,
	podsOnBothSystems,
	windowsPodsOnSeveralReleases,
	architectureWithoutWindows,
	podsBuildFromZero,
	osLabelUnknown,
	podsStranded,
	classNotAmongObjects,
	classNotInCluster,
	selectorAgainstClass,
	overheadAgainstClass,
	handlerMalformed,
	handlerForHyperV,
	osAgainstClass,
	nonRootWithAdministrator,
	nonRootWithAdministratorImage,
	forbiddenByPodSecurity,
	classSelectorMalformed,
	classTolerationMalformed,
	classOverheadUnknown,
	classOverheadImpossible,
	handlerUnknown,
	classBuildFromZero,
	knativeFlagNeeded,
	selectsNoPlannedPool,
	hugePagesOnWindows,
	linuxFieldIgnored,
	gracePeriodOnWindows,
	memoryLimitMissing,
	hostProcessWithoutUser,
	hostProcessNonRoot,
	credentialSpecOfInitContainer,
	fractionOfByte,
	terminationMessagePathOnWindows,
	windowsOptionsIgnored,
	shareOfTwoVolumes,
	handleOfTwoShares,
	hostProcessUnknownUser,
	powerShellProbeTooShort,
	scriptWithoutPreStop,
	initContainerNeedsNames,
	diskTooLarge,
	autoscalerWithoutRequest,
	hostAccountIncomplete,
	accountNameTooLong,
	volumes.AccountBeforeUpdate.Rule,
	keyTwice,
	noDisruptionAllowed,
	allReplicasNeeded,
	istioOnWindows,
	linkerdOnWindows,
	externalTrafficPolicyLocal,
	sessionAffinityClientIP,
	tooManyEndpoints,
	ipv6Only,
	internalTrafficPolicyLocal,
	networkPolicyMissing,
	windowsPodsWithoutAddress,
	windowsIPAMMissing,
	ignoredRuleUnknown,
	platformAnnotationUnknown,
	platformAnnotationContradicts,
	markUnreadable,
)...)
