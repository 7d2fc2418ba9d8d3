package labtest

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/topology"
)

// NodeLines returns the name, kubelet version, size, taints and the label team of each node.
func NodeLines(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, node := range nodes.Items {
		line := []string{node.Name, node.Status.NodeInfo.KubeletVersion, node.Labels[corev1.LabelInstanceTypeStable]}
		for _, taint := range node.Spec.Taints {
			line = append(line, topology.FormatTaint(taint))
		}
		if team, ok := node.Labels["team"]; ok {
			line = append(line, "team="+team)
		}
		lines = append(lines, strings.Join(line, " "))
	}
	slices.Sort(lines)
	return lines
}
