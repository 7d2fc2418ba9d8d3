package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
)

const labelBuild = topology.LabelWindowsBuild

func pools(names []string) string { return subject.ListPools(names) }

// placed runs the checks of images that need to know where the pods land.
func (c *check) placed(p *judged) {
	s := c.subjectOf(p)
	if !subject.Landing.Has(s) {
		return
	}
	answer, _ := s.Placement()
	c.onOtherArchitecture(p, answer)
	c.onOtherIndex(p, answer)
	c.onOtherBaseline(p, answer)
	c.accountWithoutShares(p, answer)
}

// explained reports whether one of these checks has found something.
func (c *check) explained() bool {
	return slices.ContainsFunc(c.findings, func(f Finding) bool {
		return slices.Contains([]string{"MK213", "MK214", "MK219", "MK222", accountBeforeUpdate.ID}, f.Rule)
	})
}
