package azure

import (
	"fmt"

	"github.com/mixedkube/mixedkube/components/topology"
)

// maxNodes is the most that a pool can have.
const maxNodes = 1000

func (c *check) counts(p pool) {
	least, kind := 0, "a user pool"
	if p.isSystem() {
		least, kind = 1, "a system pool"
	}
	outside := func(field string, n int) {
		// Numbers that are wrong for any cluster are topology's.
		if n < 0 || n > topology.MaxCount || least <= n && n <= maxNodes {
			return
		}
		fix := fmt.Sprintf("use at least %d", least)
		if n > maxNodes {
			fix = fmt.Sprintf("use at most %d, and several pools for more", maxNodes)
		}
		c.report("MK732", problem{path: p.at + field, value: n, detail: fmt.Sprintf("%s has %d to %d nodes", kind, least, maxNodes), fix: fix})
	}
	scaled := p.Autoscaling.Enabled()
	// Where nobody gave a count it is the smallest number.
	if !scaled || p.Count != max(1, p.Autoscaling.Min) {
		outside("count", p.Nodes())
	}
	if scaled {
		outside("autoscaling.min", p.Autoscaling.Min)
		outside("autoscaling.max", p.Autoscaling.Max)
	}
}
