package azure

import "fmt"

func (c *check) upgrade(p pool) {
	at := p.at + "upgrade."
	surge, surgeGiven := parseShare(p.Upgrade.MaxSurge)
	unavailable, unavailableGiven := parseShare(p.Upgrade.MaxUnavailable)
	if p.isSystem() && unavailableGiven && unavailable.number > 0 {
		c.report("MK734", problem{
			path: at + "maxUnavailable", value: p.Upgrade.MaxUnavailable, detail: "a system pool cannot do without nodes in an upgrade",
			fix: "remove it, and use maxSurge",
		})
	}
	// With both given as 0 topology says so.
	if bothGiven := unavailableGiven && unavailable.number == 0; surgeGiven && surge.number == 0 && !bothGiven {
		found := problem{path: at + "maxSurge", value: p.Upgrade.MaxSurge, fix: "use at least 1"}
		switch {
		case p.isSystem():
			found.detail = "maxUnavailable is always 0 in a system pool, and then no node can be replaced"
			c.report("MK735", found)
		case p.Upgrade.MaxUnavailable == "":
			found.detail = "maxUnavailable is 0 by default, and then no node can be replaced"
			found.fix += ", or give maxUnavailable"
			c.report("MK735", found)
		}
	}
	// Of more nodes than a pool can have is said so.
	nodes := max(p.Nodes(), p.Autoscaling.Max)
	if more := surge.of(nodes); surgeGiven && nodes <= maxNodes && nodes+more > maxNodes {
		c.report("MK733", problem{
			path: at + "maxSurge", value: p.Upgrade.MaxSurge,
			detail: fmt.Sprintf("up to %d nodes and %d more in an upgrade are %d, and Azure takes at most %d", nodes, more, nodes+more, maxNodes),
			fix:    surgeFix(nodes),
		})
	}
}

func surgeFix(nodes int) string {
	if nodes == maxNodes {
		return fmt.Sprintf("use fewer than %d nodes", maxNodes)
	}
	return fmt.Sprintf("use at most %d, or fewer nodes", maxNodes-nodes)
}
