package azure

import "fmt"

const minPods, maxPods = 10, 250

var defaultPods = map[NetworkMode]int{Overlay: 250, PodSubnet: 110, NodeSubnet: 30}

func (c *check) maxPods(p pool) {
	// Of fewer than a system pool needs is said so.
	if p.MaxPods > maxPods || p.MaxPods > 0 && p.MaxPods < minPods && !p.isSystem() {
		c.report("MK731", problem{
			path: p.at + "maxPods", value: p.MaxPods, detail: fmt.Sprintf("a node has room for %d to %d pods", minPods, maxPods),
			fix: "use a number in between, or " + c.defaultMaxPods(),
		})
	}
}

// defaultMaxPods is the fix that is always right.
func (c *check) defaultMaxPods() string {
	if n, ok := defaultPods[c.network.Mode]; ok {
		return fmt.Sprintf("leave it out for %d, the default of mode %s", n, c.network.Mode)
	}
	return "leave it out for Azure's default"
}
