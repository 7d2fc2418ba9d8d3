package topology

import corev1 "k8s.io/api/core/v1"

// PoolsOfNodes says of which pool of [FromNodes] each node is: the names of pools by those of nodes. A
// node that is left out there, and one that cannot be described, is in no pool.
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
