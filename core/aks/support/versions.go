package support

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var versionUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK711", Severity: rule.Warning, Title: "a version of Kubernetes in AKS that this library does not know",
		Page:   rulepages.AKS,
		Reason: "Azure may support this version, and may apply other rules to it.",
		Source: versionsPage,
	},
	Checks: []engine.Check{engine.On(versions, unknownVersion)},
}

// Version is a version of Kubernetes, and its path.
type Version struct {
	// Text is "" if it is not known.
	Path, Text string
	// Today is the day of the check. If it is zero, the end of support is not checked.
	Today time.Time
	// LongTerm means that the cluster has long-term support, or may have it. If AnyPlan is set, it is not known.
	LongTerm, AnyPlan bool
}

// IsWithoutSupport reports whether AKS no longer supports the version on that day, or whether it is older than those
// that the tables have.
func (v Version) IsWithoutSupport() bool {
	release, known := v.release()
	return v.isOlder() || known && v.isAfter(v.ends(release))
}

// isOlder reports whether the version is older than those that the tables have.
func (v Version) isOlder() bool {
	version, ok := kubeversion.Parse(v.Text)
	return ok && version.Compare(facts.AKSOldest) < 0
}

// release returns the release of the version, or false if it is not known.
func (v Version) release() (facts.AKSRelease, bool) {
	version, ok := kubeversion.Parse(v.Text)
	release, known := facts.AKSReleaseOf(version)
	return release, ok && known
}

// ends returns the last day of the support that the cluster has.
func (v Version) ends(release facts.AKSRelease) string {
	if v.LongTerm {
		return release.LTSEnds
	}
	return release.Ends
}

// isAfter reports whether the day of the check is known, and after a day in all time zones.
func (v Version) isAfter(last string) bool {
	return !v.Today.IsZero() && v.Today.After(day(last).AddDate(0, 0, 1))
}

var versionEnds = engine.Rule{
	Rule: rule.Rule{
		ID: "MK884", Severity: rule.Info, Title: "a version of Kubernetes whose support in AKS ends soon",
		Page: rulepages.AKS,
		Reason: "After community support, which is about a year, AKS has no patches for a version, except with " +
			"long-term support; it may upgrade the cluster itself, and creates no node pools of the version when it " +
			"is three versions old. The finding begins 90 days before that day; afterwards it is a warning. For a " +
			"topology, the support plan is not known.",
		Source: versionsPage + ", " + aks + "long-term-support",
	},
	Checks: []engine.Check{engine.On(versions, endingVersion)},
}

// endingVersion finds a version without support, or soon without.
func endingVersion(version Version) []rule.Problem {
	release, known := version.release()
	if !known || version.Today.IsZero() {
		return nil
	}
	found := rule.Problem{
		Path: version.Path, Value: version.Text,
		Fix: "upgrade, or set the support plan AKSLongTermSupport and the tier Premium",
	}
	ends, support := version.ends(release), "community support"
	if version.LongTerm {
		support, found.Fix = "long-term support", "upgrade"
	}
	switch {
	case version.Today.Before(day(ends).AddDate(0, 0, -90)):
		return nil
	case version.isAfter(ends):
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("its %s in AKS ended on %s", support, ends)
		if version.AnyPlan && !version.isAfter(release.LTSEnds) {
			found.Severity = rule.Info
			found.Detail += fmt.Sprintf(", and its long-term support ends on %s", release.LTSEnds)
			found.Fix = "upgrade, if the cluster has no long-term support"
		}
	default:
		found.Detail = fmt.Sprintf("its %s in AKS ends on %s", support, ends)
	}
	return []rule.Problem{found}
}

var versions = &engine.Scope[Version]{Name: "versions of Kubernetes in AKS"}

// unknownVersion finds a version that the tables do not have.
func unknownVersion(version Version) []rule.Problem {
	v, ok := kubeversion.Parse(version.Text)
	if !ok || v.Within(facts.AKSOldest, facts.AKSNewest) {
		return nil
	}
	found := rule.Problem{
		Path: version.Path, Value: version.Text,
		Fix: "make sure that Azure has it; findings about versions may be incomplete",
	}
	found.Detail = fmt.Sprintf("newer than the versions of AKS that this library knows (%s to %s)", facts.AKSOldest,
		facts.AKSNewest)
	if version.isOlder() {
		found.Detail = fmt.Sprintf("older than the versions of AKS that this library knows (%s to %s)", facts.AKSOldest,
			facts.AKSNewest)
		found.Fix = "use a version that Azure supports"
	}
	return []rule.Problem{found}
}

// PoolVersion returns a pool's own version to check. If the tables do not have the version of the control plane, only
// that one is checked, and there is none.
func PoolVersion(path, version, controlPlane string) []Version {
	if v, ok := kubeversion.Parse(controlPlane); ok && !v.Within(facts.AKSOldest, facts.AKSNewest) {
		return nil
	}
	return []Version{{Path: path, Text: version}}
}
