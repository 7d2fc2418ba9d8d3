package preflight

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/volumes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// accountWithoutShares runs the check of a rule that is not in volumes.Rules, because its scope is not complete here.
func (c *check) accountWithoutShares(p *judged, _ placement.Placement) {
	for _, problem := range volumes.AccountsWithoutShares(&subject.Pods{
		Pods: p.Pods, Target: p.target, Cluster: c.cluster, Stated: c.stated, Joined: p.joined,
	}) {
		c.report(volumes.AccountBeforeUpdate.Rule, problem)
	}
}
