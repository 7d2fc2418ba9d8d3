package azure

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

func (c *check) clusterVersion(s string) {
	if s == "" {
		c.report("MK710", problem{
			path: "kubernetesVersion", detail: "Azure's default changes with time",
			fix: fmt.Sprintf("say which version, for example %q", c.newestForAll()),
		})
		return
	}
	c.knownVersion("kubernetesVersion", s)
}

// newestForAll is the newest version that has all platforms of the pools, if one has.
func (c *check) newestForAll() kubeversion.Version {
	for v := newestKnown; v.Compare(oldestKnown) >= 0; v.Minor-- {
		if !slices.ContainsFunc(c.pools, func(p pool) bool { sku := skuOf(p.Platform); return !v.Within(sku.first, sku.last) }) {
			return v
		}
	}
	return newestKnown
}

// knownVersion says whether the tables have the version, if one is given.
func (c *check) knownVersion(path, s string) {
	v, ok := kubeversion.Parse(s)
	if !ok || v.Within(oldestKnown, newestKnown) {
		return
	}
	found := problem{path: path, value: s, fix: "make sure that Azure has it; what is said about versions may be incomplete"}
	found.detail = fmt.Sprintf("newer than what this library knows of AKS (%s to %s)", oldestKnown, newestKnown)
	if v.Compare(oldestKnown) < 0 {
		found.detail = fmt.Sprintf("older than what this library knows of AKS (%s to %s)", oldestKnown, newestKnown)
		found.fix = "use a version that Azure supports"
	}
	c.report("MK711", found)
}

// poolVersion is about a pool's own version. Of one that the tables do not have is
// spoken once, at the cluster's.
func (c *check) poolVersion(p pool, controlPlane string) {
	if v, ok := kubeversion.Parse(controlPlane); !ok || v.Within(oldestKnown, newestKnown) {
		c.knownVersion(p.at+"kubernetesVersion", p.KubernetesVersion)
	}
}
