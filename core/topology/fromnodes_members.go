package topology

import corev1 "k8s.io/api/core/v1"

// PoolsOfNodes returns the pool of [FromNodes] for each node: it maps node names to pool names. Nodes that are left out
// there, or cannot be described, are not in the map.
func PoolsOfNodes(nodes []corev1.Node) map[string]string {
	var f fromNodes
	for i := range nodes {
		f.add(&nodes[i], nil)
	}
	f.sort()
	pools := map[string]string{}
	for _, g := range f.groups {
		for _, n := range g.nodes {
			pools[n.Name] = g.name
		}
	}
	return pools
}
