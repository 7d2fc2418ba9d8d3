package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/classes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/fields"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/images"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/objects"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/services"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/users"
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
	objects.Rules(), fields.Rules(), users.Rules(), images.Rules(), placement.Rules(), volumes.Rules(),
	classes.Rules(), services.Rules(),
)

// The checks of each kind of subject.
var (
	objectChecks   = engine.New[*subject.Object](checked...)
	podChecks      = engine.New[*subject.Pods](checked...)
	textChecks     = engine.New[*subject.Text](checked...)
	topologyChecks = engine.New[*subject.TopologyClasses](checked...)
)

// The checks that answer one question only.
var (
	// refusedByOSName are the checks of [Refused].
	refusedByOSName = engine.New[*subject.Pods](fields.ForbiddenByOSName()...)
	// contradictions and ignoredWrong are the checks of [Checker.Contradiction].
	contradictions = engine.New[*subject.Pods](append(some("MK207", "MK208", "MK209"), objects.AgainstCaller())...)
	ignoredWrong   = engine.New[*subject.Object](objects.IgnoredRuleUnknown)
)

// some returns the rules with the IDs.
func some(ids ...string) []engine.Rule {
	return slices.DeleteFunc(slices.Clone(checked), func(r engine.Rule) bool { return !slices.Contains(ids, r.ID) })
}

// rules are all rules of the package. The variable is read-only.
var rules = rule.NewSet(append(engine.Described(checked),
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
	nonRootWithRootImage,
	nonRootWithNamedUser,
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
	classNotAmongObjects,
	classNotInCluster,
	selectorAgainstClass,
	overheadAgainstClass,
	handlerMalformed,
	handlerForHyperV,
	osAgainstClass,
	forbiddenByPodSecurity,
	classSelectorMalformed,
	classTolerationMalformed,
	classOverheadUnknown,
	classOverheadImpossible,
	handlerUnknown,
	knativeFlagNeeded,
	memoryVolumeOnWindows,
	blockDeviceOnWindows,
	nfsOnWindows,
	pipeInHostProcess,
	mountPropagationOnWindows,
	subPathOnWindows,
	fileModeOnWindows,
	secretVolumeOnWindows,
	controlCharacterInPath,
	volumeTypeOnWindows,
	imageVolumeOnWindows,
	linuxHostPath,
	deviceOnWindows,
	windowsHostPath,
	driveInMountPath,
	linuxFileSystemOnWindows,
	windowsFileSystemOnLinux,
	driverWithoutWindows,
	shareOfTwoVolumes,
	handleOfTwoShares,
	powerShellProbeTooShort,
	scriptWithoutPreStop,
	initContainerNeedsNames,
	csiProxyPipe,
	autoscalerWithoutRequest,
	podLogsOfUser,
	accountBeforeUpdate,
	noDisruptionAllowed,
	allReplicasNeeded,
	istioOnWindows,
	linkerdOnWindows,
	externalTrafficPolicyLocal,
	sessionAffinityClientIP,
	tooManyEndpoints,
	ipv6Only,
	internalTrafficPolicyLocal,
	loadBalancerMissing,
	metricsMissing,
	hostPortMissing,
	gmsaWebhookMissing,
	gmsaWebhookUnknown,
	networkPolicyMissing,
	windowsIPAMOff,
	windowsIPAMMissing,
)...)
