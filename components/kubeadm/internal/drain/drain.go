// Package drain empties the nodes that an update removes before their machines are deleted.
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
	"github.com/mixedkube/mixedkube/internal/components/kubeadm/eviction"
)

const (
	// PoolAnnotation is on each node; its value is the name of the node's pool. It is for people: a
	// node can change its own annotations.
	PoolAnnotation = "mixedkube.dev/pool"

	// DefaultTimeout is how long the pods of one node may take to leave. It is the same as in AKS
	// (https://learn.microsoft.com/azure/aks/upgrade-aks-cluster).
	DefaultTimeout = 30 * time.Minute

	// pause is the time between two looks at the pods of a node.
	pause = 2 * time.Second
)

// API is the part of the API server that this package uses.
type API interface {
	List(ctx context.Context, o kubeapi.Object, s kubeapi.Selector, into any) error
	Patch(ctx context.Context, o kubeapi.Object, patch any) error
	Evict(ctx context.Context, pod metav1.ObjectMeta) error
}

// Nodes are the nodes of a cluster.
type Nodes struct {
	// Before are the names of the nodes that updates have left, and Names of those that the cluster
	// should have.
	Before, Names []string
	// Timeout returns how long the pods of one node may take to leave. 0 means [DefaultTimeout].
	Timeout func(node string) time.Duration
	// Log receives a message for each step.
	Log func(message string)
}

// DrainLeaving cordons and drains, one after the other, the nodes that updates have left and that
// the cluster should no longer have. It changes no other node.
//
// It returns an error if pods are still running after the timeout. In this case the nodes stay
// cordoned, and another call continues. If a change is reverted instead, it logs which nodes
// stay and are cordoned: only people know whether the nodes are cordoned for another reason too.
func (n Nodes) DrainLeaving(ctx context.Context, api API) error {
	var list corev1.NodeList
	if err := api.List(ctx, kubeapi.Object{API: "v1", Resource: "nodes"}, kubeapi.Selector{}, &list); err != nil {
		return err
	}
	var leaving []corev1.Node
	for _, node := range list.Items {
		switch {
		case !slices.Contains(n.Before, node.Name):
		case !slices.Contains(n.Names, node.Name):
			leaving = append(leaving, node)
		case node.Spec.Unschedulable:
			n.Log(fmt.Sprintf("node %s stays, and is cordoned: if it should get pods, run `kubectl uncordon %s`",
				node.Name, node.Name))
		}
	}
	// All nodes are cordoned first, so that no pod moves from one to another.
	for _, node := range leaving {
		if node.Spec.Unschedulable {
			continue
		}
		if err := cordon(ctx, api, node); err != nil {
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

func cordon(ctx context.Context, api API, node corev1.Node) error {
	return api.Patch(ctx, kubeapi.Object{API: "v1", Resource: "nodes", Name: node.Name},
		map[string]any{"spec": map[string]any{"unschedulable": true}})
}

// drain evicts the pods of one node until none is left.
func (n Nodes) drain(ctx context.Context, api API, node corev1.Node) error {
	timeout := cmp.Or(n.Timeout(node.Name), DefaultTimeout)
	left, err := eviction.Drain(ctx, evictions{api}, node, eviction.Options{
		Timeout: timeout, Pause: pause,
		Progress: func(left []eviction.Left) { n.Log(progress(node.Name, left)) },
	})
	switch {
	case err != nil:
		return fmt.Errorf("drain node %s: %w", node.Name, err)
	case len(left) > 0:
		return late(node.Name, timeout, left)
	}
	return nil
}

// evictions are the requests of a drain.
type evictions struct{ API }

// Pods returns the pods of a node.
func (e evictions) Pods(ctx context.Context, node string) ([]corev1.Pod, error) {
	var pods corev1.PodList
	err := e.List(ctx, kubeapi.Object{API: "v1", Resource: "pods"}, kubeapi.Selector{Fields: "spec.nodeName=" + node},
		&pods)
	return pods.Items, err
}

// Evict evicts a pod.
func (e evictions) Evict(ctx context.Context, pod metav1.ObjectMeta) (refusal string, err error) {
	err = e.API.Evict(ctx, pod)
	switch {
	case err == nil, kubeapi.IsNotFound(err), kubeapi.IsConflict(err):
		// The pod is about to end, or another pod has its name now.
		return "", nil
	case kubeapi.IsTooManyRequests(err), kubeapi.IsInternal(err):
		return kubeapi.MessageOf(err), nil
	}
	return "", err
}

func late(node string, timeout time.Duration, left []eviction.Left) error {
	var names, refusals []string
	for _, l := range left {
		names = append(names, l.Name())
		if l.Refusal != "" {
			refusals = append(refusals, l.Refusal)
		}
	}
	slices.Sort(refusals)
	why := ""
	if len(refusals) > 0 {
		why = ": " + strings.Join(slices.Compact(refusals), "; ")
	}
	return fmt.Errorf("drain node %s: %s still running after %s, %s%s. Let them end, and run `pulumi up` again, which "+
		"continues; or keep the node, which stays cordoned: `kubectl uncordon %s`",
		node, count(left), timeout, strings.Join(names, ", "), why, node)
}

func progress(node string, left []eviction.Left) string {
	if len(left) == 0 {
		return fmt.Sprintf("node %s leaves: drained", node)
	}
	return fmt.Sprintf("node %s leaves: %s left", node, count(left))
}

func count(pods []eviction.Left) string {
	if len(pods) == 1 {
		return "1 pod is"
	}
	return fmt.Sprintf("%d pods are", len(pods))
}
