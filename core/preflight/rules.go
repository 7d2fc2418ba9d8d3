package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
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
func Rules() []Rule { return slices.Clone(described) }

// all are all rules, and described is what they say. Nothing writes to them.
var (
	all = slices.Concat(
		objects.Rules(), fields.Rules(), users.Rules(), images.Rules(), placement.Rules(), volumes.Rules(),
		classes.Rules(), services.Rules(),
	)
	described = engine.Described(all)
)

// checks are the checks of rules, by what they look at.
type checks struct {
	objects *engine.Set[*subject.Object]
	pods    *engine.Set[*subject.Pods]
	texts   *engine.Set[*subject.Text]
	classes *engine.Set[*subject.TopologyClasses]

	// The checks of pods, claims and other objects among others.
	podsAmong    *engine.Set[*collection.Pods]
	claimsAmong  *engine.Set[*collection.Claims]
	objectsAmong *engine.Set[*collection.Object]

	silences engine.Silences
}

func checksOf(rules []engine.Rule) *checks {
	return &checks{
		objects: engine.New[*subject.Object](rules...), pods: engine.New[*subject.Pods](rules...),
		texts: engine.New[*subject.Text](rules...), classes: engine.New[*subject.TopologyClasses](rules...),
		podsAmong:   engine.New[*collection.Pods](rules...),
		claimsAmong: engine.New[*collection.Claims](rules...), objectsAmong: engine.New[*collection.Object](rules...),
		silences: engine.SilencesOf(rules),
	}
}

// allChecks are the checks of all rules.
var allChecks = checksOf(all)

// The checks that answer one question only.
var (
	// refusedByOSName are the checks of [Refused].
	refusedByOSName = engine.New[*subject.Pods](fields.ForbiddenByOSName()...)
	// contradictory are the rules of [Checker.Contradiction], with their checks.
	contradictory = []engine.Rule{
		placement.PlacesOfDifferentOS, placement.PlacesOfDifferentReleases, placement.HostProcessOnLinux,
		objects.AgainstCaller(), objects.IgnoredRuleUnknown,
	}
	contradictoryPods    = engine.New[*subject.Pods](contradictory...)
	contradictoryObjects = engine.New[*subject.Object](contradictory...)
)
