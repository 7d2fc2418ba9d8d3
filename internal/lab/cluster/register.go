package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"

	"github.com/mixedkube/mixedkube/core/topology"
)

// Register makes the cluster's simulated nodes the desired ones: it registers missing
// nodes, corrects labels and taints, replaces nodes with another platform,
// size or version, and removes the others.
func Register(ctx context.Context, client kubernetes.Interface, desired []*corev1.Node) error {
	return RegisterExcept(ctx, client, desired, func(*corev1.Node) bool { return false })
}

// RegisterExcept does the same, and removes no node that is retained.
func RegisterExcept(
	ctx context.Context, client kubernetes.Interface, desired []*corev1.Node, retained func(*corev1.Node) bool,
) error {
	list, err := List[corev1.Node](ctx, client.CoreV1().Nodes().List)
	if err != nil {
		return fmt.Errorf("list the nodes: %w", err)
	}
	have := map[string]*corev1.Node{}
	for _, node := range list {
		if node.Annotations[managedByKWOK] != "" {
			have[node.Name] = node
		}
	}
	var changes []func() error
	for _, node := range desired {
		old := have[node.Name]
		delete(have, node.Name)
		if old == nil || !sameMachine(old, node) || len(Drift(old, node)) > 0 {
			changes = append(changes, func() error { return register(ctx, client, old, node) })
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if retained(have[name]) {
			continue
		}
		changes = append(changes, func() error { return Remove(ctx, client, name) })
	}
	return SideBySide(changes)
}

// SideBySide calls functions, several at once, until one fails.
func SideBySide(functions []func() error) error {
	const workers = 16
	var all sync.WaitGroup
	var next atomic.Int64
	failures := make([]error, workers)
	for w := range workers {
		all.Go(func() {
			for failures[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(functions) {
					return
				}
				failures[w] = functions[i]()
				if failures[w] != nil {
					next.Store(int64(len(functions)))
				}
			}
		})
	}
	all.Wait()
	return errors.Join(failures...)
}

// register registers or updates a node; old is the existing node, nil if there is none.
func register(ctx context.Context, client kubernetes.Interface, old, node *corev1.Node) error {
	if old != nil && sameMachine(old, node) {
		return update(ctx, client, node)
	}
	if old != nil {
		return Replace(ctx, client, node)
	}
	return create(ctx, client, node)
}

func create(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("register node %s: %w", node.Name, err)
	}
	return nil
}

// WaitReady waits until KWOK simulates all nodes, and pods can be scheduled to them.
func (c Cluster) WaitReady(ctx context.Context, client kubernetes.Interface, nodes []*corev1.Node) error {
	waiting := map[string]bool{}
	for _, node := range nodes {
		waiting[node.Name] = true
	}
	// Poll less often if there are many nodes.
	interval := 100*time.Millisecond + time.Duration(len(nodes))*time.Millisecond
	err := wait.PollUntilContextTimeout(ctx, interval, readyTimeout+time.Duration(len(nodes))*readyEach, true,
		func(ctx context.Context) (bool, error) {
			existing, err := List[corev1.Node](ctx, client.CoreV1().Nodes().List)
			if ctx.Err() != nil {
				return false, ctx.Err() // the time is up, wherever that was noticed
			}
			if err != nil {
				return false, fmt.Errorf("list the nodes: %w", err)
			}
			for _, node := range existing {
				if ready(node) {
					delete(waiting, node.Name)
				}
			}
			return len(waiting) == 0, nil
		})
	if wait.Interrupted(err) {
		return fmt.Errorf("node %s does not get ready: %w\n%s", slices.Min(slices.Collect(maps.Keys(waiting))), err,
			c.logs())
	}
	return err
}

// readyEach is added to the timeout for each node: a thousand nodes take ten seconds and more
// on two cores.
const readyEach = 60 * time.Millisecond

// ready reports whether a node is ready, and no longer has the taint of nodes that are not.
func ready(node *corev1.Node) bool {
	condition := slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
	taint := slices.ContainsFunc(node.Spec.Taints,
		func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeNotReady })
	return condition && !taint
}

// update writes labels and taints. The control plane can write the same objects at
// any time, so update reads them first.
func update(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		have, err := client.CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		have.Labels = maps.Clone(node.Labels)
		have.Spec.Taints = slices.Concat(node.Spec.Taints,
			slices.DeleteFunc(have.Spec.Taints, func(t corev1.Taint) bool {
				return !byControlPlane(t) || topology.HasTaint(node.Spec.Taints, t)
			}))
		_, err = client.CoreV1().Nodes().Update(ctx, have, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("update node %s: %w", node.Name, err)
	}
	return nil
}

// Remove deletes a machine's node with its lease and its pods. The garbage collector would delete them later, the pods
// after a minute, and would take a new machine of the same name for their owner.
func Remove(ctx context.Context, client kubernetes.Interface, name string) error {
	err := client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Delete(ctx, name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("remove the lease of node %s: %w", name, err)
	}
	return removeNode(ctx, client, name)
}

// Replace gives a node another machine, without the pods of the old one.
func Replace(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	if err := passOnLease(ctx, client, node.Name); err != nil {
		return fmt.Errorf("pass on the lease of node %s: %w", node.Name, err)
	}
	if err := removeNode(ctx, client, node.Name); err != nil {
		return err
	}
	return create(ctx, client, node)
}

// passOnLease retains the lease of a node for its next machine. KWOK simulates the pods of a node only while it holds
// the lease, and may learn of the next machine before it learns that the lease was deleted. It would renew that, fail,
// and try again after 50 seconds. Without an owner the lease is not collected, and KWOK sets the next one.
func passOnLease(ctx context.Context, client kubernetes.Interface, name string) error {
	leases := client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	return ignoreNotFound(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		lease, err := leases.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		lease.OwnerReferences = nil
		_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
		return err
	}))
}

func removeNode(ctx context.Context, client kubernetes.Interface, name string) error {
	if err := client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("remove node %s: %w", name, err)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx,
		metav1.ListOptions{FieldSelector: "spec.nodeName=" + name})
	if err != nil {
		return fmt.Errorf("list the pods of node %s: %w", name, err)
	}
	for _, pod := range pods.Items {
		err := client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name,
			metav1.DeleteOptions{GracePeriodSeconds: new(int64)})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("remove pod %s of node %s: %w", pod.Name, name, err)
		}
	}
	return nil
}

// sameMachine reports whether two nodes differ in nothing that a running machine
// cannot change.
func sameMachine(a, b *corev1.Node) bool {
	x, y := a.Status.NodeInfo, b.Status.NodeInfo
	return x.OSImage == y.OSImage && x.KernelVersion == y.KernelVersion && x.KubeletVersion == y.KubeletVersion &&
		equality.Semantic.DeepEqual(a.Status.Capacity, b.Status.Capacity)
}

// Drift lists the differences between the labels and taints of a node and those that it
// should have, one line each. It returns nil if there are none.
func Drift(have, want *corev1.Node) []string {
	var drift []string
	for _, key := range slices.Sorted(maps.Keys(want.Labels)) {
		switch value, ok := have.Labels[key]; {
		case !ok:
			drift = append(drift, fmt.Sprintf("label %s=%s is missing", key, want.Labels[key]))
		case value != want.Labels[key]:
			drift = append(drift, fmt.Sprintf("label %s is %q instead of %q", key, value, want.Labels[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(have.Labels)) {
		if _, ok := want.Labels[key]; !ok {
			drift = append(drift, fmt.Sprintf("label %s=%s is not the pool's", key, have.Labels[key]))
		}
	}
	for _, taint := range want.Spec.Taints {
		if !topology.HasTaint(have.Spec.Taints, taint) {
			drift = append(drift, fmt.Sprintf("taint %s is missing", taint.ToString()))
		}
	}
	for _, taint := range have.Spec.Taints {
		if !byControlPlane(taint) && !topology.HasTaint(want.Spec.Taints, taint) {
			drift = append(drift, fmt.Sprintf("taint %s is not the pool's", taint.ToString()))
		}
	}
	return drift
}

// byControlPlane reports whether a taint is one that the control plane sets and
// removes by the node's condition
// (https://kubernetes.io/docs/reference/labels-annotations-taints/).
func byControlPlane(taint corev1.Taint) bool {
	return slices.Contains([]string{
		corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable,
		corev1.TaintNodeMemoryPressure,
		corev1.TaintNodeDiskPressure, corev1.TaintNodeNetworkUnavailable, corev1.TaintNodePIDPressure,
		corev1.TaintNodeOutOfService,
	}, taint.Key)
}
