package support

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

var versionUnknown = rule.Rule{
	ID: "MK711", Severity: rule.Warning, Title: "a version of Kubernetes in AKS that this library does not know",
	Reason: "Azure may support this version, and may apply other rules to it.",
	Source: versionsPage,
}

// IsOlder reports whether a version is older than those that the tables have.
func IsOlder(version string) bool {
	v, ok := kubeversion.Parse(version)
	return ok && v.Compare(facts.AKSOldest) < 0
}

// Version reports a version that the tables do not have.
func (c *Check) Version(path, version string) {
	v, ok := kubeversion.Parse(version)
	if !ok || v.Within(facts.AKSOldest, facts.AKSNewest) {
		return
	}
	found := rule.Problem{
		Path: path, Value: version,
		Fix: "make sure that Azure has it; findings about versions may be incomplete",
	}
	found.Detail = fmt.Sprintf("newer than the versions of AKS that this library knows (%s to %s)", facts.AKSOldest,
		facts.AKSNewest)
	if IsOlder(version) {
		found.Detail = fmt.Sprintf("older than the versions of AKS that this library knows (%s to %s)", facts.AKSOldest,
			facts.AKSNewest)
		found.Fix = "use a version that Azure supports"
	}
	c.Report(versionUnknown, found)
}

// PoolVersion reports a pool's own version. If the tables do not have the version of the control plane, only that one
// is reported.
func (c *Check) PoolVersion(path, version, controlPlane string) {
	if v, ok := kubeversion.Parse(controlPlane); !ok || v.Within(facts.AKSOldest, facts.AKSNewest) {
		c.Version(path, version)
	}
}
