package azurenodes

import (
	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/components/kubeadm/eviction"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// pause is the time between two looks at the pods of a node.
const pause = 100 * time.Millisecond

// empty prepares nodes for an upgrade. "When you upgrade a Spot node pool, AKS internally issues a cordon and an eviction
// notice, but no drain is applied. There are no surge nodes available for Spot node pool upgrades"
// (https://learn.microsoft.com/azure/aks/spot-node-pool).
func (r roller) empty(ctx context.Context, nodes []*corev1.Node) ([]*arm.DrainError, error) {
	if r.pool.Pool.Spot {
		return make([]*arm.DrainError, len(nodes)), r.cordon(ctx, nodes)
	}
	return r.drainAll(ctx, nodes, r.pool.Upgrade.DrainMinutes)
}

func (r roller) cordon(ctx context.Context, nodes []*corev1.Node) error {
	for _, node := range nodes {
		if err := r.change(ctx, node.Name, func(n *corev1.Node) {
			n.Spec.Unschedulable = true
			n.Annotations[drainingAnnotation] = "true"
		}); err != nil {
			return err
		}
	}
	return nil
}

// drainAll cordons nodes, and drains all of them at the same time.
func (r roller) drainAll(ctx context.Context, nodes []*corev1.Node, minutes int) ([]*arm.DrainError, error) {
	if err := r.cordon(ctx, nodes); err != nil {
		return nil, err
	}
	failures := make([]*arm.DrainError, len(nodes))
	drains := make([]func() error, len(nodes))
	for i, node := range nodes {
		drains[i] = func() error {
			left, err := eviction.Drain(ctx, evictions{r.client, r.pool.IgnoreBudgets}, *node, eviction.Options{
				Timeout: time.Duration(minutes) * r.pool.Minute, Pause: pause, Progress: func([]eviction.Left) {},
			})
			if err != nil || len(left) == 0 {
				return err
			}
			failures[i], err = r.late(ctx, node, left, minutes)
			return err
		}
	}
	return failures, cluster.SideBySide(drains)
}

// late describes the first pod that cannot be evicted, or else the first one that has not ended.
func (r roller) late(
	ctx context.Context, node *corev1.Node, left []eviction.Left, minutes int,
) (*arm.DrainError, error) {
	first := left[max(0, slices.IndexFunc(left, func(l eviction.Left) bool { return l.Refusal != "" }))]
	e := &arm.DrainError{
		Node: node.Name, Namespace: first.Pod.Namespace, Pod: first.Pod.Name, Refusal: first.Refusal, Minutes: minutes,
	}
	budgets, err := cluster.List[policyv1.PodDisruptionBudget](ctx,
		r.client.PolicyV1().PodDisruptionBudgets(first.Pod.Namespace).List)
	if err != nil {
		return nil, err
	}
	for _, budget := range budgets {
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil || first.Refusal == "" || !selector.Matches(labels.Set(first.Pod.Labels)) {
			continue
		}
		e.Budget = budget.Name
		pods, err := r.client.CoreV1().Pods(first.Pod.Namespace).List(ctx,
			metav1.ListOptions{LabelSelector: selector.String()})
		if err != nil {
			return nil, err
		}
		for _, pod := range pods.Items {
			if !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
				return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
			}) {
				e.Unready = append(e.Unready, pod.Namespace+"/"+pod.Name)
			}
		}
	}
	return e, nil
}

// release makes nodes schedulable again: "AKS will mark the blocked nodes schedulable, but the blocked nodes are not
// upgraded" (the API's description of undrainableNodeBehavior). With Cordon it quarantines those that are blocked.
func (r roller) release(ctx context.Context, nodes []*corev1.Node, failures []*arm.DrainError) error {
	var errs []error
	for i, node := range nodes {
		if failures[i] != nil && r.pool.Upgrade.Cordon {
			errs = append(errs, r.quarantine(ctx, node))
		} else {
			errs = append(errs, r.uncordon(ctx, nodes[i:i+1]))
		}
	}
	return errors.Join(errs...)
}

func (r roller) uncordon(ctx context.Context, nodes []*corev1.Node) error {
	for _, node := range nodes {
		if err := r.change(ctx, node.Name, func(n *corev1.Node) {
			n.Spec.Unschedulable = false
			delete(n.Annotations, drainingAnnotation)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (r roller) quarantine(ctx context.Context, node *corev1.Node) error {
	return r.change(ctx, node.Name, func(n *corev1.Node) { n.Labels[statusLabel] = quarantined })
}

func (r roller) change(ctx context.Context, name string, do func(*corev1.Node)) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		node, err := r.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		do(node)
		_, err = r.client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

// evictions are the requests of a drain.
type evictions struct {
	client kubernetes.Interface
	// ignoresBudgets deletes pods instead.
	ignoresBudgets bool
}

// Pods returns the pods of a node.
func (e evictions) Pods(ctx context.Context, node string) ([]corev1.Pod, error) {
	list, err := e.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx,
		metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// Evict evicts a pod.
func (e evictions) Evict(ctx context.Context, pod metav1.ObjectMeta) (refusal string, err error) {
	options := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(pod.UID))}
	if e.ignoresBudgets {
		err = e.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, options)
	} else {
		err = e.client.PolicyV1().Evictions(pod.Namespace).Evict(ctx, &policyv1.Eviction{
			ObjectMeta:    metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name},
			DeleteOptions: &options,
		})
	}
	switch {
	case err == nil, apierrors.IsNotFound(err), apierrors.IsConflict(err):
		return "", nil
	case apierrors.IsTooManyRequests(err), apierrors.IsInternalError(err):
		return err.Error(), nil
	}
	return "", err
}
