package azure

import (
	"fmt"
	"slices"
)

func (c *check) subnets() {
	// Of a mode that there is not is said so.
	if !slices.Contains(networkModes, string(c.network.Mode)) {
		return
	}
	if c.network.Mode == PodSubnet {
		c.subnetNeeded("network.nodeSubnetID", c.network.NodeSubnet, func(o PoolOptions) bool { return o.NodeSubnet })
		c.subnetNeeded("network.podSubnetID", c.network.PodSubnet, func(o PoolOptions) bool { return o.PodSubnet })
		return
	}
	var paths []string // each once: two pools of one name share their options
	if c.network.PodSubnet {
		paths = append(paths, "network.podSubnetID")
	}
	for _, p := range c.pools {
		if path := p.givenAt + "podSubnetID"; p.given.PodSubnet && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		c.report("MK727", problem{
			path: path, detail: fmt.Sprintf("in mode %s pods have no subnet of their own", c.network.Mode), fix: "remove it, or use the mode " + string(PodSubnet),
		})
	}
}

// subnetNeeded asks for a subnet of the network, or of each pool.
func (c *check) subnetNeeded(path string, ofNetwork bool, ofPool func(PoolOptions) bool) {
	if ofNetwork {
		return
	}
	var without []string
	for _, p := range c.pools {
		if !ofPool(p.given) {
			without = append(without, p.at[:len(p.at)-1])
		}
	}
	if len(without) == 0 && len(c.pools) > 0 {
		return
	}
	found := problem{path: path, detail: "mode " + string(PodSubnet) + " needs it", fix: "give the ID of a subnet"}
	if len(without) > 0 && len(without) < len(c.pools) {
		found.detail += fmt.Sprintf(", as %s has none of its own", without[0])
		if len(without) > 1 {
			found.detail = fmt.Sprintf("mode %s needs it, as %s have none of their own", PodSubnet, join(without, "and"))
		}
	}
	c.report("MK726", found)
}
