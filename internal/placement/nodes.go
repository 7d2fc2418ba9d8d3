package placement

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Nodes is a topology made ready for placing many pods. It never changes, so
// it can be used concurrently.
type Nodes struct {
	nodes    []node
	matching platform.Matching
	// own are the keys, in lower case, of the labels that nobody sets who is
	// not seen in the topology: a pool without one does not have it.
	own map[string]bool
}

// node stands for all nodes of a pool.
type node struct {
	pool topology.Pool
	// first is the index of the first pool that is the same for every pod.
	first int
	// os is that of the platform; "" if the platform is not a valid one.
	os platform.OS
	// object has the labels, in the form that component-helpers takes.
	object *corev1.Node
	// taints are those that keep pods off: PreferNoSchedule does not.
	taints []corev1.Taint
	// capacity is what its kubelet reports, allocatable what is left of it for pods; nil
	// where the size does not tell.
	capacity, allocatable corev1.ResourceList
	// guessedArchitecture says that the architecture is only the default.
	guessedArchitecture bool
}

// NewNodes makes a topology ready. The matching says which Windows release runs
// which images.
func NewNodes(t topology.Defaulted, m platform.Matching) *Nodes {
	n := &Nodes{nodes: make([]node, len(t.Pools)), matching: m, own: map[string]bool{}}
	for _, key := range kubeletLabels {
		n.own[key] = true
	}
	for i, pool := range t.Pools {
		n.nodes[i] = newNode(pool)
		n.nodes[i].first = slices.IndexFunc(n.nodes[:i+1], n.nodes[i].same)
		for key := range pool.Labels {
			n.own[strings.ToLower(key)] = true
		}
	}
	for _, key := range cloudLabels {
		delete(n.own, key)
	}
	return n
}

func newNode(pool topology.Pool) node {
	capacity, known := pool.NodeCapacity()
	allocatable, _ := pool.Allocatable()
	return node{
		pool: pool,
		os:   pool.Platform.OS(),
		// Without a name, matchFields would match whatever they say.
		object: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a node of " + pool.Name, Labels: pool.NodeLabels()}},
		taints: slices.DeleteFunc(slices.Clone(pool.Taints), func(t corev1.Taint) bool {
			return t.Effect == corev1.TaintEffectPreferNoSchedule
		}),
		capacity: capacity, allocatable: allocatable,
		// A size with a capacity is one whose name was understood, or whose nodes have reported it;
		// an Azure size with a p says that it is Arm64; Windows is amd64 always.
		guessedArchitecture: !pool.Platform.IsWindows() && !known && pool.Architecture() == "amd64",
	}
}

// same reports whether no pod can tell the nodes of two pools apart. All else follows from the
// platform, the size, what is reserved and what is reported.
func (n *node) same(other node) bool {
	return n.pool.Platform == other.pool.Platform && n.pool.Size == other.pool.Size &&
		equality.Semantic.DeepEqual(n.pool.Reserved, other.pool.Reserved) &&
		equality.Semantic.DeepEqual(n.pool.Reported, other.pool.Reported) &&
		maps.Equal(n.object.Labels, other.object.Labels) && slices.EqualFunc(n.taints, other.taints, sameTaint)
}

func sameTaint(a, b corev1.Taint) bool { return a.MatchTaint(&b) && a.Value == b.Value }

// keys are the labels of the nodes, sorted, without the deprecated ones: what a
// hint may name.
func (n *node) keys() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(n.object.Labels)), func(key string) bool {
		return strings.HasPrefix(key, "beta.")
	})
}
