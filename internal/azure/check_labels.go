package azure

import (
	"maps"
	"slices"
	"strings"
)

func (c *check) labels(p pool) {
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		// Azure gives that label to the nodes of a spot pool itself.
		if p.Spot && key == spotLabel && p.Labels[key] == spotValue {
			continue
		}
		if strings.HasPrefix(key, "kubernetes.azure.com/") {
			c.report("MK736", problem{
				path: p.at + "labels[" + key + "]", detail: "Azure keeps kubernetes.azure.com/ for its own labels", fix: "use a domain of your own",
			})
		}
	}
}
