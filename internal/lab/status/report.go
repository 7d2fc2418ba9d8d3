package status

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// Report describes a cluster's pods and nodes.
type Report struct {
	pods  []judged
	nodes map[string]*corev1.Node
	// Problems name what is wrong, a sentence each.
	Problems []string
}

// judged is a pod, and whether something is wrong with it.
type judged struct {
	*corev1.Pod
	wrong bool
}

// Look creates the report of a cluster that should have the desired nodes.
func Look(ctx context.Context, client kubernetes.Interface, desired []*corev1.Node) (*Report, error) {
	nodes, err := cluster.List[corev1.Node](ctx, client.CoreV1().Nodes().List)
	if err != nil {
		return nil, fmt.Errorf("list the nodes: %w", err)
	}
	pods, err := cluster.List[corev1.Pod](ctx, client.CoreV1().Pods(metav1.NamespaceAll).List)
	if err != nil {
		return nil, fmt.Errorf("list the pods: %w", err)
	}
	sets, err := cluster.List[appsv1.ReplicaSet](ctx, client.AppsV1().ReplicaSets(metav1.NamespaceAll).List)
	if err != nil {
		return nil, fmt.Errorf("list the replica sets: %w", err)
	}
	r := newReport(pods, nodes, desired)
	r.Problems = append(r.Problems, refused(sets)...)
	return r, nil
}

// refused names the replica sets whose pods the API server refuses: these pods
// are not pending, they do not exist.
func refused(sets []*appsv1.ReplicaSet) []string {
	var problems []string
	for _, set := range sets {
		for _, condition := range set.Status.Conditions {
			if condition.Type == appsv1.ReplicaSetReplicaFailure && condition.Status == corev1.ConditionTrue {
				problems = append(problems,
					fmt.Sprintf("the pods of %s are refused: %s", qualified(set.ObjectMeta), condition.Message))
			}
		}
	}
	return problems
}

func newReport(pods []*corev1.Pod, nodes, desired []*corev1.Node) *Report {
	r := &Report{nodes: map[string]*corev1.Node{}}
	for _, node := range nodes {
		r.nodes[node.Name] = node
	}
	planned := map[string]*corev1.Node{}
	for _, node := range desired {
		planned[node.Name] = node
		have := r.nodes[node.Name]
		if have == nil {
			r.Problems = append(r.Problems, fmt.Sprintf("node %s does not exist", node.Name))
			continue
		}
		for _, drift := range cluster.Drift(have, node) {
			r.Problems = append(r.Problems, fmt.Sprintf("node %s: %s", node.Name, drift))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.nodes)) {
		if planned[name] == nil {
			r.Problems = append(r.Problems, fmt.Sprintf("node %s does not belong to any pool", name))
		}
	}
	pods = slices.SortedFunc(slices.Values(pods), func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for _, pod := range pods {
		wrong := Judge(pod, r.nodes[pod.Spec.NodeName], planned[pod.Spec.NodeName])
		if wrong != "" {
			r.Problems = append(r.Problems, fmt.Sprintf("pod %s %s", qualified(pod.ObjectMeta), wrong))
		}
		r.pods = append(r.pods, judged{pod, wrong != ""})
	}
	return r
}

// qualified returns an object's name, with its namespace unless that is the default one.
func qualified(o metav1.ObjectMeta) string {
	if o.Namespace == metav1.NamespaceDefault {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}
