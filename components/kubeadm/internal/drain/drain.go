// Package drain empties the nodes that leave a cluster before their machines go, as
// `kubectl drain --ignore-daemonsets --delete-emptydir-data --force` does: the pods are evicted, so
// that PodDisruptionBudgets are respected
// (https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/).
package drain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

const (
	// PoolAnnotation is on each node, with the name of its pool.
	PoolAnnotation = "mixedkube.dev/pool"
	// cordonedAnnotation is on the nodes that were cordoned here, and by nobody else.
	cordonedAnnotation = "mixedkube.dev/cordoned"

	// DefaultTimeout is how long the pods of one node may take to leave. It is that of AKS
	// (https://learn.microsoft.com/azure/aks/upgrade-aks-cluster).
	DefaultTimeout = 30 * time.Minute

	// pause is how long to wait before the next look at the pods of a node.
	pause = 2 * time.Second
)

// API is what is asked of the API server.
type API interface {
	List(ctx context.Context, o kubeapi.Object, s kubeapi.Selector, into any) error
	Patch(ctx context.Context, o kubeapi.Object, patch any) error
	Evict(ctx context.Context, pod metav1.ObjectMeta) error
}

// Nodes are those that a cluster is to have.
type Nodes struct {
	// Names are theirs.
	Names []string
	// Timeouts are how long the pods of one node may take to leave, by the name of its pool. The
	// default is [DefaultTimeout].
	Timeouts map[string]time.Duration
	// Log is told what happens.
	Log func(message string)
}

// DrainOthers cordons and drains, one after the other, the nodes in the cluster that have
// [PoolAnnotation] and are not to be there. Those that are to be there are no longer cordoned by
// an earlier call: a change may be taken back.
//
// It fails when pods are still there after the timeout. The nodes stay cordoned then, and another
// call continues.
func (n Nodes) DrainOthers(ctx context.Context, api API) error {
	var list corev1.NodeList
	if err := api.List(ctx, kubeapi.Object{API: "v1", Resource: "nodes"}, kubeapi.Selector{}, &list); err != nil {
		return err
	}
	var leaving []corev1.Node
	for _, node := range list.Items {
		switch {
		case node.Annotations[PoolAnnotation] == "":
		case !slices.Contains(n.Names, node.Name):
			leaving = append(leaving, node)
		case node.Annotations[cordonedAnnotation] != "":
			if err := cordon(ctx, api, node, false); err != nil {
				return err
			}
			n.Log(fmt.Sprintf("node %s stays: uncordoned", node.Name))
		}
	}
	// All of them first: no pod is to move from one to another.
	for _, node := range leaving {
		if node.Spec.Unschedulable {
			continue
		}
		if err := cordon(ctx, api, node, true); err != nil {
			return err
		}
	}
	for _, node := range leaving {
		if err := n.drain(ctx, api, node); err != nil {
			return err
		}
	}
	return nil
}

func cordon(ctx context.Context, api API, node corev1.Node, on bool) error {
	// In a merge patch, null removes.
	var unschedulable, mark any
	if on {
		unschedulable, mark = true, "true"
	}
	return api.Patch(ctx, kubeapi.Object{API: "v1", Resource: "nodes", Name: node.Name}, map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{cordonedAnnotation: mark}},
		"spec":     map[string]any{"unschedulable": unschedulable},
	})
}

// drain evicts the pods of one node until none is left.
func (n Nodes) drain(ctx context.Context, api API, node corev1.Node) error {
	timeout := cmp.Or(n.Timeouts[node.Annotations[PoolAnnotation]], DefaultTimeout)
	deadline := time.Now().Add(timeout)
	for before := -1; ; {
		left, refusals, err := evict(ctx, api, node)
		if err != nil {
			return fmt.Errorf("drain node %s: %w", node.Name, err)
		}
		if len(left) != before {
			before = len(left)
			n.Log(progress(node.Name, left))
		}
		switch {
		case len(left) == 0:
			return nil
		case !time.Now().Before(deadline):
			return late(node.Name, timeout, left, refusals)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("drain node %s: %w", node.Name, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// evict asks for the end of all pods that have to leave, and returns those that are still there,
// with the reasons why some may not be evicted now.
func evict(ctx context.Context, api API, node corev1.Node) (left, refusals []string, err error) {
	var pods corev1.PodList
	err = api.List(ctx, kubeapi.Object{API: "v1", Resource: "pods"},
		kubeapi.Selector{Fields: "spec.nodeName=" + node.Name}, &pods)
	if err != nil {
		return nil, nil, err
	}
	for _, pod := range pods.Items {
		if !hasToLeave(pod, ready(node)) {
			continue
		}
		name := pod.Namespace + "/" + pod.Name
		left = append(left, name)
		if pod.DeletionTimestamp != nil {
			continue
		}
		err := api.Evict(ctx, pod.ObjectMeta)
		switch {
		case err == nil, kubeapi.IsNotFound(err), kubeapi.IsConflict(err):
			// It is about to end, or another pod has its name now.
		case kubeapi.IsTooManyRequests(err), kubeapi.IsInternal(err):
			refusals = append(refusals, kubeapi.MessageOf(err))
		default:
			return nil, nil, err
		}
	}
	slices.Sort(left)
	slices.Sort(refusals)
	return left, slices.Compact(refusals), nil
}

func late(node string, timeout time.Duration, left, refusals []string) error {
	why := ""
	if len(refusals) > 0 {
		why = ": " + strings.Join(refusals, "; ")
	}
	return fmt.Errorf("drain node %s: %s still there after %s, %s%s. Let them go, and run `pulumi up` again, which "+
		"goes on; or keep the node, which stays cordoned: `kubectl uncordon %s`",
		node, count(left), timeout, strings.Join(left, ", "), why, node)
}

func progress(node string, left []string) string {
	if len(left) == 0 {
		return fmt.Sprintf("node %s leaves: drained", node)
	}
	return fmt.Sprintf("node %s leaves: %s left", node, count(left))
}

func count(pods []string) string {
	if len(pods) == 1 {
		return "1 pod is"
	}
	return fmt.Sprintf("%d pods are", len(pods))
}
