package clustermap

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/landings"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// observed is where the pods of a workload are.
type observed struct {
	// on is the number of pods on each pool, and all their total number.
	on  map[int]int
	all int
	// waiting is the number of pods by the reason why they wait.
	waiting map[string]int
}

// observe assigns the pods of a live cluster to their workloads.
func (b *builder) observe(nodes []corev1.Node) {
	if !b.Live {
		return
	}
	poolOf := b.poolsOf(nodes)
	b.measure()
	of := map[identity]int{}
	for i, w := range b.Workloads {
		of[w.id] = i
	}
	strays := 0
	for _, o := range b.seen {
		if phase, _ := tree.Text(tree.At(o.Tree, "status", "phase")); phase == "Succeeded" || phase == "Failed" {
			continue
		}
		node, _ := tree.Text(o.Pods.Spec["nodeName"])
		pool, placed := poolOf[node]
		if node != "" && !placed {
			strays++
			continue
		}
		root := b.rootOf(o)
		i, known := of[root]
		if !known {
			i = len(b.Workloads)
			of[root] = i
			b.Workloads = append(b.Workloads, b.strange(root, o))
		}
		w := &b.Workloads[i]
		if w.seen == nil {
			w.seen = &observed{on: map[int]int{}, waiting: map[string]int{}}
		}
		w.seen.all++
		if placed {
			w.seen.on[pool]++
			if room := b.Pools[pool].Room; room != nil {
				room.Used = landings.Plus(room.Used, b.request(o), 1)
			}
		}
		if why := whyWaiting(o.Tree); why != "" {
			w.seen.waiting[why]++
		}
	}
	if strays > 0 {
		b.Notes = append(b.Notes,
			"Not drawn, because their nodes are in no pool: "+fielderrors.Count(strays, "pod")+".")
	}
}

// rootOf returns the top-level owner of a pod: the Deployment, and not its ReplicaSet.
func (b *builder) rootOf(o *pods.Object) identity {
	owner, owned := controllerOf(o.Tree)
	if !owned || owner.kind == "Node" { // a static pod
		return identityOf(o.Tree)
	}
	return b.rootAbove(owner)
}

// rootAbove returns the top-level owner of an object, or the object itself. Each object is walked over once. If
// objects own each other in a circle, one of them is the root of all.
func (b *builder) rootAbove(id identity) identity {
	var below []identity
	for {
		if root, known := b.roots[id]; known {
			id = root
			break
		}
		b.roots[id] = id // until the end of the walk
		below = append(below, id)
		made := b.objects[id]
		if made == nil || made.Tree == nil {
			break
		}
		owner, owned := controllerOf(made.Tree)
		if !owned || owner.kind == "Node" {
			break
		}
		id = owner
	}
	for _, one := range below {
		b.roots[one] = id
	}
	return id
}

// strange returns the workload of a pod without an owner, or whose owner is not among the objects.
func (b *builder) strange(root identity, o *pods.Object) Workload {
	w := b.workload(root.kind, o)
	w.id, w.Name, w.Pods = root, root.name, 0
	if root.namespace != "default" {
		w.Name = root.namespace + "/" + root.name
	}
	return w
}

// poolsOf returns the pool of each node: the one that the node itself names, or else the only one of the topology that
// it can belong to. It replaces the counts of the pools with the number of their nodes.
func (b *builder) poolsOf(nodes []corev1.Node) map[string]int {
	named := topology.PoolsOfNodes(nodes)
	of := map[string]int{}
	counts := map[int]int{}
	for i := range nodes {
		name := nodes[i].Name
		if named[name] == "" {
			continue
		}
		pool, known := b.at[named[name]]
		if !known || !b.isOf(&nodes[i], pool) {
			pool, known = b.onlyPool(&nodes[i])
		}
		if known {
			of[name] = pool
			counts[pool]++
		}
	}
	if len(nodes) > 0 {
		for i := range b.Pools {
			b.Pools[i].Count = counts[i]
		}
	}
	return of
}

// onlyPool returns the pool of the topology that a node can belong to, false if there is none, or several.
func (b *builder) onlyPool(n *corev1.Node) (int, bool) {
	found := -1
	for i := range b.Pools {
		if b.isOf(n, i) {
			if found >= 0 {
				return 0, false
			}
			found = i
		}
	}
	return max(found, 0), found >= 0
}

// isOf reports whether a node can belong to a pool: it has the labels of the pool.
func (b *builder) isOf(n *corev1.Node, pool int) bool {
	for key, value := range b.Pools[pool].NodeLabels() {
		if has, ok := n.Labels[key]; ok && has != value || !ok && b.Pools[pool].Labels[key] != "" {
			return false
		}
	}
	return true
}

// placeSeen puts workloads where their pods are.
func (b *builder) placeSeen() {
	for i := range b.Workloads {
		w := &b.Workloads[i]
		if w.seen == nil {
			continue
		}
		w.Pods = max(w.Pods, w.seen.all)
		if w.PerNode {
			w.Pods, w.PerNode = w.seen.all, false
		}
		w.On = slices.Sorted(maps.Keys(w.seen.on))
		for _, pool := range w.On {
			b.Pools[pool].Workloads = append(b.Pools[pool].Workloads, Landed{Workload: i, Pods: w.seen.on[pool]})
		}
	}
}

// whyWaiting returns why a pod waits, in the words of the scheduler or of the kubelet; "" if it runs.
func whyWaiting(pod map[string]any) string {
	status := tree.Map(pod["status"])
	node, _ := tree.Text(tree.At(pod, "spec", "nodeName"))
	if node == "" {
		if text := condition(status, "PodScheduled", "False"); text != "" {
			return text
		}
		return "no node has been chosen yet"
	}
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, v := range tree.List(status[list]) {
			waiting := tree.Map(tree.At(v, "state", "waiting"))
			reason, _ := tree.Text(waiting["reason"])
			if waiting == nil || reason == "PodInitializing" {
				continue
			}
			message, _ := tree.Text(waiting["message"])
			return strings.Trim(reason+": "+message, ": ")
		}
	}
	if phase, _ := tree.Text(status["phase"]); phase == "Pending" {
		return "its node has not started it yet"
	}
	return ""
}

// condition returns the message of a condition that has a status, or else its reason.
func condition(status map[string]any, name, value string) string {
	for _, v := range tree.List(status["conditions"]) {
		c := tree.Map(v)
		if c["type"] != name || c["status"] != value {
			continue
		}
		for _, key := range []string{"message", "reason"} {
			if text, ok := tree.Text(c[key]); ok && text != "" {
				return text
			}
		}
	}
	return ""
}

// failureOf returns why a controller cannot create the pods of a workload, "" if it can.
func failureOf(object map[string]any) string {
	return condition(tree.Map(object["status"]), "ReplicaFailure", "True")
}
