package support

import (
	"fmt"

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

// IsOlder reports whether a version is older than those that the tables have.
func IsOlder(version string) bool {
	v, ok := kubeversion.Parse(version)
	return ok && v.Compare(facts.AKSOldest) < 0
}

// Version is a version of Kubernetes, "" if it is not known, and its path.
type Version struct{ Path, Text string }

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
	if IsOlder(version.Text) {
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
	return []Version{{path, version}}
}
