package e2e

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// steady is a Deployment of two pods on some nodes. A PodDisruptionBudget requires a minimum of available pods.
type steady struct {
	client kubernetes.Interface
	// fewest is the minimum number of available pods. If it is unknown, failed is the reason.
	fewest int
	failed error
	cancel context.CancelFunc
	done   chan struct{}
}

const steadyName = "steady"

func startSteady(t *testing.T, client kubernetes.Interface, nodes map[string]string, atLeast int32) *steady {
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
					NodeSelector: nodes,
					Tolerations:  []corev1.Toleration{{Key: "os", Operator: corev1.TolerationOpExists}},
					Containers: []corev1.Container{{
						Name: "a", Image: "mcr.microsoft.com/windows/nanoserver:ltsc2022",
					}},
				},
			},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	_, err = client.PolicyV1().PodDisruptionBudgets(meta.Namespace).Create(t.Context(), &policyv1.PodDisruptionBudget{
		ObjectMeta: meta,
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: new(intstr.FromInt32(atLeast)), Selector: &metav1.LabelSelector{MatchLabels: labels},
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

// available returns the number of Ready pods on existing, Ready nodes, and their numbers by node.
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
	readyNodes := map[string]bool{}
	for _, node := range list.Items {
		for _, c := range node.Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue {
				readyNodes[node.Name] = true
			}
		}
	}
	nodes = map[string]int{}
	for _, pod := range pods.Items {
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue && readyNodes[pod.Spec.NodeName] &&
				pod.DeletionTimestamp == nil {
				nodes[pod.Spec.NodeName]++
				n++
			}
		}
	}
	return n, nodes, nil
}

// wait waits until both pods are available, on the node if it is not empty.
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

// end deletes the pods. It fails if there was no available pod at any time, or if the pods are not on the node.
func (s *steady) end(t *testing.T, node string) {
	t.Helper()
	check(t, s.wait(t.Context(), node))
	s.cancel()
	<-s.done
	check(t, s.failed)
	if s.fewest < 1 {
		t.Errorf("the minimum number of available pods is %d", s.fewest)
	}
	s.permit(t)
	check(t, s.client.AppsV1().Deployments(metav1.NamespaceDefault).Delete(t.Context(), steadyName,
		metav1.DeleteOptions{}))
}

// permit deletes the PodDisruptionBudget.
func (s *steady) permit(t *testing.T) {
	t.Helper()
	check(t, s.client.PolicyV1().PodDisruptionBudgets(metav1.NamespaceDefault).Delete(t.Context(), steadyName,
		metav1.DeleteOptions{}))
}

// drainsTwice removes a machine whose pods cannot be evicted: the deployment must delete nothing. When they can be
// evicted, the next deployment must continue.
func drainsTwice(t *testing.T, l *machinesLab, stack *deploy.Stack, records string, pools []string) {
	t.Helper()
	const removed = "linux-30g-1"
	client := l.client(t)
	one := strings.Replace(pools[0], "count: 1", "count: 1, upgrade: {drainTimeoutMinutes: 1}", 1)
	up := func(linux string) (runRecord, error) {
		l.setPools(t, append([]string{linux}, pools[1:]...)...)
		l.write(t)
		r := newRunRecord(t, stack, records)
		return r, stack.Up(t.Context(), append(r.eventLog(), "--skip-preview")...)
	}
	if r, err := up(strings.Replace(pools[0], "count: 1", "count: 2", 1)); err != nil {
		t.Fatalf("%v\n%s", err, r.output(t))
	}
	pods := startSteady(t, client, map[string]string{corev1.LabelHostname: removed}, 2)
	r, err := up(one)
	if err == nil {
		t.Fatal("the deployment does not fail")
	}
	contains(t, strings.Join(strings.Fields(r.output(t)), " "),
		"drain node "+removed+": 2 pods are still running after 1m0s, ",
		"Cannot evict pod as it would violate the pod's disruption budget.")
	labtest.SameLines(t, "operations", "", labtest.Operations(t, r.events))
	if !nodeNamed(t, client, removed).Spec.Unschedulable {
		t.Error("the node is not cordoned")
	}
	if n, _, err := pods.available(t.Context()); err != nil || n != 2 {
		t.Errorf("%d pods are available (%v)", n, err)
	}

	pods.permit(t)
	if r, err = up(one); err != nil {
		t.Fatalf("%v\n%s", err, r.output(t))
	}
	labtest.SameLines(t, "operations", "delete machine "+removed+"\nupdate "+nodesStash,
		machineOperations(labtest.Operations(t, r.events)))
	if diff := cmp.Diff([]string{removed}, drained(r.output(t))); diff != "" {
		t.Errorf("drained nodes (-want +have):\n%s", diff)
	}
	check(t, client.AppsV1().Deployments(metav1.NamespaceDefault).Delete(t.Context(), steadyName,
		metav1.DeleteOptions{}))
}

var drainedNode = regexp.MustCompile(`node (\S+) leaves: drained`)

// drained returns the nodes that Pulumi reports as drained.
func drained(output string) []string {
	var nodes []string
	for _, found := range drainedNode.FindAllStringSubmatch(output, -1) {
		nodes = append(nodes, found[1])
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}
