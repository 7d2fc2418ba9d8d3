package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Nodes is a topology prepared for placing many pods. Its answers never change, and
// it can be used concurrently.
type Nodes struct {
	nodes    []node
	matching platform.Matching
	// own has the keys, in lower case, of the labels that only kubelets and the
	// topology set: a pool that does not have one in the topology does not have it.
	own map[string]bool
	// mistakes has the answers of mistaken, because all nodes of a topology ask about the same keys of a pod.
	mistakes sync.Map
	// compared means that [NewChange] has prepared the topology, which sets the fields below.
	compared bool
	// named are the pools by what the names of nodes of AKS show, and guessedSKU the Linux pools and the labels whose
	// osSKU is only the likely one.
	named      map[string]string
	guessedSKU map[[2]string]bool
}

// node represents all nodes of a pool.
type node struct {
	pool topology.Pool
	// first is the index of the first pool that is the same for every pod.
	first int
	// os is the operating system of the platform; "" if the platform is not valid.
	os platform.OS
	// object has the labels, in the form that component-helpers needs.
	object *corev1.Node
	// taints repel pods. They do not include PreferNoSchedule.
	taints []corev1.Taint
	// capacity is the capacity that the kubelet reports, allocatable the part of it for pods; nil
	// if the size does not determine them.
	capacity, allocatable corev1.ResourceList
	// architecture is the pool's.
	architecture string
	// guessedArchitecture is true if the architecture is only the default.
	guessedArchitecture bool
}

// NewNodes prepares a topology. The matching determines which Windows release runs
// which images.
func NewNodes(t topology.Defaulted, m platform.Matching) *Nodes {
	n := &Nodes{nodes: make([]node, len(t.Pools)), matching: m, own: map[string]bool{}}
	for _, key := range kubeletLabels {
		n.own[key] = true
	}
	first := map[string]int{}
	for i, pool := range t.Pools {
		n.nodes[i] = newNode(pool)
		likeness := n.nodes[i].likeness()
		if _, ok := first[likeness]; !ok {
			first[likeness] = i
		}
		n.nodes[i].first = first[likeness]
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
		// Without a name, any matchFields would match.
		object: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a node of " + pool.Name, Labels: pool.NodeLabels()}},
		taints: slices.DeleteFunc(slices.Clone(pool.Taints), func(t corev1.Taint) bool {
			return t.Effect == corev1.TaintEffectPreferNoSchedule
		}),
		capacity: capacity, allocatable: allocatable, architecture: pool.Architecture(),
		// If the capacity is known, so is the architecture: the name of the size is known, or nodes have
		// reported it. An Azure size with a p is Arm64, and Windows is always amd64.
		guessedArchitecture: !pool.Platform.IsWindows() && !known && pool.Architecture() == "amd64",
	}
}

// likeness returns a text that is the same for pools whose nodes are the same for every pod. The other
// properties follow from the platform, the size, and the reserved and the reported resources.
func (n *node) likeness() string {
	return fmt.Sprintf("%#v", []any{
		n.pool.Platform, n.pool.Size, n.pool.Reserved, n.pool.Reported, n.object.Labels, n.taints,
	})
}

// keys returns the keys of the labels of the nodes that a suggestion may name, sorted:
// all except the deprecated ones.
func (n *node) keys() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(n.object.Labels)), func(key string) bool {
		return strings.HasPrefix(key, "beta.")
	})
}
