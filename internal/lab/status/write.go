package status

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// many is the limit of readable output: with more pods the table lists workloads, and with
// more problems only the first ones are shown.
const many = 100

// Write prints the table of all pods, or of all workloads where there are many pods, and
// the problems.
func (r *Report) Write(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	if len(r.pods) > many {
		r.writeWorkloads(table)
	} else {
		r.writePods(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	shown := r.Problems[:min(many, len(r.Problems))]
	for _, problem := range shown {
		if _, err := fmt.Fprintf(out, "wrong: %s\n", problem); err != nil {
			return err
		}
	}
	if more := len(r.Problems) - len(shown); more > 0 {
		if _, err := fmt.Fprintf(out, "and %d more problems\n", more); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d pods on %d nodes, %d problems\n", len(r.pods), len(r.nodes), len(r.Problems))
	return err
}

func (r *Report) writePods(table io.Writer) {
	fmt.Fprintln(table, "POD\tSTATUS\tNODE\tOS\tBUILD\t")
	for _, pod := range r.pods {
		node := r.nodes[pod.Spec.NodeName]
		verdict := ""
		if pod.wrong {
			verdict = "<- wrong"
		}
		nodeName := "-"
		if node != nil {
			nodeName = node.Name
		}
		os, build := system(node)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", qualified(pod.ObjectMeta), pod.Status.Phase, nodeName, os, build,
			verdict)
	}
}

// writeWorkloads writes a line for all pods of a workload that are alike.
func (r *Report) writeWorkloads(table io.Writer) {
	type line struct {
		workload  string
		phase     corev1.PodPhase
		os, build string
	}
	type count struct {
		pods, wrong int
		nodes       map[string]bool
	}
	var lines []line
	counts := map[line]*count{}
	for _, pod := range r.pods {
		l := line{workload: workload(pod.Pod), phase: pod.Status.Phase}
		node := r.nodes[pod.Spec.NodeName]
		l.os, l.build = system(node)
		c := counts[l]
		if c == nil {
			c = &count{nodes: map[string]bool{}}
			lines, counts[l] = append(lines, l), c
		}
		c.pods++
		if node != nil {
			c.nodes[node.Name] = true
		}
		if pod.wrong {
			c.wrong++
		}
	}
	fmt.Fprintln(table, "WORKLOAD\tSTATUS\tPODS\tNODES\tOS\tBUILD\t")
	for _, l := range lines {
		c, verdict := counts[l], ""
		if c.wrong > 0 {
			verdict = fmt.Sprintf("<- %d wrong", c.wrong)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", l.workload, l.phase, c.pods, len(c.nodes), l.os, l.build,
			verdict)
	}
}

// system returns the operating system and build of a node from its labels. The node is nil if a pod has none.
func system(node *corev1.Node) (os, build string) {
	if node == nil {
		return "-", "-"
	}
	return node.Labels[corev1.LabelOSStable], cmp.Or(node.Labels[corev1.LabelWindowsBuild], "-")
}

// workload returns what has created a pod: a Deployment, another controller, or a user by hand.
func workload(pod *corev1.Pod) string {
	made := metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name}
	if owner := metav1.GetControllerOf(pod); owner != nil {
		made.Name = strings.TrimSuffix(owner.Name, "-"+pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey])
	}
	return qualified(made)
}
