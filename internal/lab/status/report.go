package status

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// Report is what there is to say about a cluster's pods and nodes.
type Report struct {
	pods  []corev1.Pod
	nodes map[string]*corev1.Node
	// Problems name what is wrong, a sentence each.
	Problems []string
}

// Look makes the report of a cluster whose nodes are to be those that are
// wanted.
func Look(ctx context.Context, client kubernetes.Interface, wanted []*corev1.Node) (*Report, error) {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list the nodes: %w", err)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list the pods: %w", err)
	}
	return newReport(pods.Items, nodes.Items, wanted), nil
}

func newReport(pods []corev1.Pod, nodes []corev1.Node, wanted []*corev1.Node) *Report {
	r := &Report{pods: slices.Clone(pods), nodes: map[string]*corev1.Node{}}
	for i := range nodes {
		r.nodes[nodes[i].Name] = &nodes[i]
	}
	slices.SortFunc(r.pods, func(a, b corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for _, node := range wanted {
		have := r.nodes[node.Name]
		if have == nil {
			r.Problems = append(r.Problems, fmt.Sprintf("node %s is not there", node.Name))
			continue
		}
		for _, drift := range cluster.Drift(have, node) {
			r.Problems = append(r.Problems, fmt.Sprintf("node %s: %s", node.Name, drift))
		}
	}
	for i := range r.pods {
		if wrong := Judge(&r.pods[i], r.nodes[r.pods[i].Spec.NodeName]); wrong != "" {
			r.Problems = append(r.Problems, fmt.Sprintf("pod %s %s", podName(&r.pods[i]), wrong))
		}
	}
	return r
}

// Write prints the table of all pods, and the problems.
func (r *Report) Write(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "POD\tSTATUS\tNODE\tOS\tBUILD\t")
	for i := range r.pods {
		pod := &r.pods[i]
		node := r.nodes[pod.Spec.NodeName]
		verdict := ""
		if Judge(pod, node) != "" {
			verdict = "<- wrong"
		}
		nodeName, os, build := "-", "-", "-"
		if node != nil {
			nodeName = node.Name
			os = node.Labels[corev1.LabelOSStable]
			build = cmp.Or(node.Labels[corev1.LabelWindowsBuild], "-")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", podName(pod), pod.Status.Phase, nodeName, os, build, verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, problem := range r.Problems {
		if _, err := fmt.Fprintf(out, "wrong: %s\n", problem); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d pods on %d nodes, %d problems\n", len(r.pods), len(r.nodes), len(r.Problems))
	return err
}

// podName leaves out the namespace that everybody is in.
func podName(pod *corev1.Pod) string {
	if pod.Namespace == metav1.NamespaceDefault {
		return pod.Name
	}
	return pod.Namespace + "/" + pod.Name
}
