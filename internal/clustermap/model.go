package clustermap

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Source is the input of a map.
type Source struct {
	// Title names the cluster, and From describes where it was read: "cluster.yaml and deploy/".
	Title, From string
	// Options have the topology, and the other options of preflight.
	Options preflight.Options
	// Objects are Kubernetes objects as trees (package tree). Workloads are drawn, RuntimeClasses influence where they
	// can run, and other kinds do not matter.
	Objects []map[string]any
	// Live is true if the objects are all current objects of a cluster: then workloads are where their pods are. Pods
	// with a status imply it.
	Live bool
	// Nodes are the nodes of a live cluster, which decide the pool of a pod.
	Nodes []corev1.Node
}

// Map is the drawing of a cluster.
type Map struct {
	// Title and From are the ones of the source.
	Title, From string
	// KubernetesVersion is the version of the control plane, "" if it is not known.
	KubernetesVersion string
	// Live is true if it shows where pods are, and not where they can run.
	Live bool
	// Pools are sorted by platform, and then in the topology's order.
	Pools []Pool
	// Workloads are sorted by their names.
	Workloads []Workload
	// Pending are the workloads that do not run, in their order; the pools with too many requests come last.
	Pending []Pending
	// Notes name the parts that are not drawn, and the problems of the topology.
	Notes []string
}

// Pool is a pool of a [Map].
type Pool struct {
	topology.Pool
	// Build is the version of Windows: the revision that nodes report, or else the build of the release.
	Build string
	// Room is the capacity of its nodes for pods, nil if it is not known.
	Room *Room
	// Workloads are the workloads that are on the pool, or can run there.
	Workloads []Landed
}

// Room is the capacity for pods of a pool's current nodes, and how much of it is requested.
type Room struct {
	// Total is the capacity of all nodes.
	Total corev1.ResourceList
	// Used is what the pods request that are on the pool, or can run only there.
	Used corev1.ResourceList
	// Choice is what the pods request that can run here as well as on other pools.
	Choice corev1.ResourceList
}

// Landed is a workload on a pool.
type Landed struct {
	// Workload is an index of [Map.Workloads].
	Workload int
	// Pods is the number of pods, with PerNode on each node. In a live cluster, they are on the pool.
	Pods    int
	PerNode bool
	// Others is the number of other pools on which the pods can run.
	Others int
	// Perhaps is true if it is not known whether the pods can be scheduled here.
	Perhaps bool
}

// Workload is a workload of a [Map], or a pod without an owner.
type Workload struct {
	// Name has the namespace before it, unless that is the default namespace.
	Name, Kind string
	// Pods is the desired number of pods, with PerNode on each node.
	Pods    int
	PerNode bool
	// Requests are the requests of one pod.
	Requests corev1.ResourceList
	// On are the pools where it is or can run, Perhaps the pools where that is not known: indexes of [Map.Pools].
	On, Perhaps []int
	// Pending is true if some of its pods do not run.
	Pending bool

	id      identity
	landing preflight.Landing
	// landed is true if there is a landing: without pools there is none.
	landed bool
	// seen is where its pods are in a live cluster, nil if it has none there.
	seen *observed
	// failure is the reason why pods cannot be created.
	failure string
}

// Pending is a workload that does not run, or pools with too many requests.
type Pending struct {
	// Title is a workload or, for too many requests, the pools: "win22 or win25".
	Title string
	// About describes the title: "Deployment, 3 pods".
	About string
	// Why explains what is wrong, in a sentence.
	Why string
	// Reasons are the reasons why it does not run on pools, grouped by the reasons.
	Reasons []Reason
	// Workloads are the affected workloads: indexes of [Map.Workloads].
	Workloads []int
}

// Reason is the reason why pods cannot run on pools.
type Reason struct {
	Pools []string
	// Texts are all reasons, the first one first.
	Texts []string
}
