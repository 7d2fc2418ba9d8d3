package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/facts"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

var versionMissing = rule.Rule{
	ID: "MK710", Severity: rule.Error, Title: "a cluster without a version of Kubernetes",
	Reason: "Azure's default changes over time, and the available Windows releases change with it.",
	Source: versionsPage,
}

func (c *check) clusterVersion(s string) {
	if s == "" {
		c.Report(versionMissing, rule.Problem{
			Path: "kubernetesVersion", Detail: "Azure's default changes over time",
			Fix: fmt.Sprintf("set a version, for example %q", c.newestForAll()),
		})
		return
	}
	// Whether an older version is an error depends on whether the cluster exists: see [CheckCreation].
	if !isOlderThanKnown(s) {
		c.knownVersion("kubernetesVersion", s)
	}
}

func isOlderThanKnown(s string) bool {
	v, ok := kubeversion.Parse(s)
	return ok && v.Compare(facts.AKSOldest) < 0
}

// newestForAll returns the newest version that supports all platforms of the pools, or the newest version of AKS if
// there is none.
func (c *check) newestForAll() kubeversion.Version {
	for v := facts.AKSNewest; v.Compare(facts.AKSOldest) >= 0; v.Minor-- {
		if !slices.ContainsFunc(c.pools,
			func(p pool) bool { sku := skuOf(p.Platform); return !v.Within(sku.First, sku.Last) }) {
			return v
		}
	}
	return facts.AKSNewest
}

var versionUnknown = rule.Rule{
	ID: "MK711", Severity: rule.Warning, Title: "a version of Kubernetes in AKS that this library does not know",
	Reason: "Azure may support this version, and may apply other rules to it.",
	Source: versionsPage,
}

// knownVersion reports a version that the tables do not have.
func (c *check) knownVersion(path, s string) {
	v, ok := kubeversion.Parse(s)
	if !ok || v.Within(facts.AKSOldest, facts.AKSNewest) {
		return
	}
	found := rule.Problem{
		Path: path, Value: s,
		Fix: "make sure that Azure has it; findings about versions may be incomplete",
	}
	found.Detail = fmt.Sprintf("newer than the versions of AKS that this library knows (%s to %s)", facts.AKSOldest,
		facts.AKSNewest)
	if isOlderThanKnown(s) {
		found.Detail = fmt.Sprintf("older than the versions of AKS that this library knows (%s to %s)", facts.AKSOldest,
			facts.AKSNewest)
		found.Fix = "use a version that Azure supports"
	}
	c.Report(versionUnknown, found)
}

// poolVersion checks a pool's own version. If the tables do not have the version of the cluster, only that one is
// reported.
func (c *check) poolVersion(p pool, controlPlane string) {
	if v, ok := kubeversion.Parse(controlPlane); !ok || v.Within(facts.AKSOldest, facts.AKSNewest) {
		c.knownVersion(p.at+"kubernetesVersion", p.KubernetesVersion)
	}
}
