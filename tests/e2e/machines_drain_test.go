package e2e

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

// steady is a Deployment of two pods on nodes of a release of Windows, one of which a
// PodDisruptionBudget wants to be there always.
type steady struct {
	client kubernetes.Interface
	// fewest is how many pods were available at the worst time, and failed why nobody knows.
	fewest int
	failed error
	cancel context.CancelFunc
	done   chan struct{}
}

const steadyName = "steady"

func startSteady(t *testing.T, client kubernetes.Interface, build string) *steady {
	t.Helper()
	labels := map[string]string{"app": steadyName}
	meta := metav1.ObjectMeta{Name: steadyName, Namespace: metav1.NamespaceDefault, Labels: labels}
	_, err := client.AppsV1().Deployments(meta.Namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					NodeSelector: map[string]string{corev1.LabelWindowsBuild: build},
					Tolerations:  []corev1.Toleration{{Key: "os", Operator: corev1.TolerationOpExists}},
					Containers:   []corev1.Container{{Name: "a", Image: "mcr.microsoft.com/windows/nanoserver:ltsc2022"}},
				},
			},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	_, err = client.PolicyV1().PodDisruptionBudgets(meta.Namespace).Create(t.Context(), &policyv1.PodDisruptionBudget{
		ObjectMeta: meta,
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: new(intstr.FromInt32(1)), Selector: &metav1.LabelSelector{MatchLabels: labels},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	s := &steady{client: client, fewest: 2, cancel: cancel, done: make(chan struct{})}
	check(t, s.wait(ctx, ""))
	go func() {
		defer close(s.done)
		for ctx.Err() == nil && s.failed == nil {
			n, _, err := s.available(ctx)
			if err == nil {
				s.fewest = min(s.fewest, n)
			} else if !errors.Is(err, context.Canceled) {
				s.failed = err
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-s.done
	})
	return s
}

// available is how many pods are Ready on nodes that there are and that are Ready, and where.
func (s *steady) available(ctx context.Context) (n int, nodes map[string]int, err error) {
	pods, err := s.client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx,
		metav1.ListOptions{LabelSelector: "app=" + steadyName})
	if err != nil {
		return 0, nil, err
	}
	list, err := s.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, nil, err
	}
	there := map[string]bool{}
	for _, node := range list.Items {
		for _, c := range node.Status.Conditions {
			there[node.Name] = there[node.Name] || c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}
	}
	nodes = map[string]int{}
	for _, pod := range pods.Items {
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue && there[pod.Spec.NodeName] &&
				pod.DeletionTimestamp == nil {
				nodes[pod.Spec.NodeName]++
				n++
			}
		}
	}
	return n, nodes, nil
}

// wait waits until both pods are available, on a node if that is given.
func (s *steady) wait(ctx context.Context, node string) error {
	last := ""
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			n, nodes, err := s.available(ctx)
			last = fmt.Sprint(nodes)
			return n == 2 && (node == "" || nodes[node] == 2), err
		})
	if err != nil {
		return fmt.Errorf("the pods are on %s: %w", last, err)
	}
	return nil
}

// end removes the pods, and fails if there were none at any time, or they are not on the node.
func (s *steady) end(t *testing.T, node string) {
	t.Helper()
	check(t, s.wait(t.Context(), node))
	s.cancel()
	<-s.done
	check(t, s.failed)
	if s.fewest < 1 {
		t.Errorf("at the worst time %d pods were available", s.fewest)
	}
	check(t, s.client.PolicyV1().PodDisruptionBudgets(metav1.NamespaceDefault).Delete(t.Context(), steadyName,
		metav1.DeleteOptions{}))
	check(t, s.client.AppsV1().Deployments(metav1.NamespaceDefault).Delete(t.Context(), steadyName,
		metav1.DeleteOptions{}))
}

var drainedNode = regexp.MustCompile(`node (\S+) leaves: drained`)

// drained are the nodes which Pulumi says are drained.
func drained(output string) []string {
	var nodes []string
	for _, found := range drainedNode.FindAllStringSubmatch(output, -1) {
		nodes = append(nodes, found[1])
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}
