package clustermap

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Source is what a map shows.
type Source struct {
	// Title names the cluster, and From says where it was read: "cluster.yaml and deploy/".
	Title, From string
	// Options have the topology, and what else preflight needs to know.
	Options preflight.Options
	// Objects are Kubernetes objects, as package tree has them. Workloads are drawn, RuntimeClasses say
	// where they land, and other kinds do not matter.
	Objects []map[string]any
	// Live says that the objects are all that a cluster has now: then workloads are where their pods
	// are. Pods with a status imply it.
	Live bool
	// Nodes are those of a live cluster, which say in which pool a pod is.
	Nodes []corev1.Node
}

// Map is a cluster as it is drawn.
type Map struct {
	// Title and From are those of the source.
	Title, From string
	// KubernetesVersion is that of the control plane, "" if it is not known.
	KubernetesVersion string
	// Live says that it shows where pods are, and not where they can land.
	Live bool
	// Pools are sorted by platform, and else in the topology's order.
	Pools []Pool
	// Workloads are sorted by their names.
	Workloads []Workload
	// Pending is what does not run, in the order of the workloads; what does not fit comes last.
	Pending []Pending
	// Notes say what is not drawn.
	Notes []string
}

// Pool is a pool of a [Map].
type Pool struct {
	topology.Pool
	// Build is the version of Windows: the revision that nodes report, or else the build of the release.
	Build string
	// Room is what its nodes have for pods, nil if nothing is known of it.
	Room *Room
	// Workloads are those that are on the pool, or may land there.
	Workloads []Landed
}

// Room is what the nodes that a pool has now give their pods, and what of it is requested.
type Room struct {
	// Total is that of all nodes.
	Total corev1.ResourceList
	// Used is what pods request that are on the pool, or can land nowhere else.
	Used corev1.ResourceList
	// Choice is what those request that can land here as well as elsewhere.
	Choice corev1.ResourceList
}

// Landed is a workload on a pool.
type Landed struct {
	// Workload is an index of [Map.Workloads].
	Workload int
	// Pods is how many there are, with PerNode on each node. In a live cluster they are there.
	Pods    int
	PerNode bool
	// Elsewhere is the number of other pools on which the pods can land.
	Elsewhere int
	// Perhaps says that it is not known whether the pods can be scheduled here.
	Perhaps bool
}

// Workload is a workload of a [Map], or a pod that stands alone.
type Workload struct {
	// Name has the namespace before it where that is not the default one.
	Name, Kind string
	// Pods is how many it wants, with PerNode on each node.
	Pods    int
	PerNode bool
	// Requests are those of one pod.
	Requests corev1.ResourceList
	// On are the pools where it is or can land, Perhaps those where that is not known: indexes of
	// [Map.Pools].
	On, Perhaps []int
	// Pending says that pods of it do not run.
	Pending bool

	id      identity
	landing preflight.Landing
	// landed says that there is a landing: without pools there is none.
	landed bool
	// seen is where its pods are in a live cluster, nil if it has none there.
	seen *observed
	// failure says why pods cannot be made.
	failure string
}

// Pending is something that does not run.
type Pending struct {
	// Title is a workload or, of what does not fit, the pools: "win22 or win25".
	Title string
	// About says more about the title: "Deployment, 3 pods".
	About string
	// Why says what is wrong, in a sentence.
	Why string
	// Reasons are why it does not run on pools, grouped by the reasons.
	Reasons []Reason
	// Workloads are those that it is about: indexes of [Map.Workloads].
	Workloads []int
}

// Reason is why pods cannot land on pools.
type Reason struct {
	Pools []string
	// Texts are all reasons, the first one first.
	Texts []string
}
