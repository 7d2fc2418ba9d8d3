// Package eviction empties a node before its machine is deleted, as `kubectl drain --ignore-daemonsets
// --delete-emptydir-data --force` does: it evicts the pods, so that PodDisruptionBudgets are respected
// (https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/).
package eviction

import (
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// API is the part of the API server that this package uses.
type API interface {
	// Pods returns the pods of a node.
	Pods(ctx context.Context, node string) ([]corev1.Pod, error)
	// Evict evicts a pod. It returns the message of the API server if the pod cannot be evicted now, and nothing if
	// there is no such pod.
	Evict(ctx context.Context, pod metav1.ObjectMeta) (refusal string, err error)
}

// Left is a pod that has not left its node.
type Left struct {
	Pod corev1.Pod
	// Refusal is the message of the API server if it cannot be evicted now, empty if it is about to end.
	Refusal string
}

// Name returns the namespace and the name of the pod.
func (l Left) Name() string { return l.Pod.Namespace + "/" + l.Pod.Name }

// Options are how a node is drained.
type Options struct {
	// Timeout is how long the pods may take to leave, and Pause the time between two looks at them.
	Timeout, Pause time.Duration
	// Progress receives the pods that are left, each time their number has changed.
	Progress func([]Left)
}

// Drain evicts the pods of a node until none is left. It returns those that are left after the timeout, in the order of
// their names.
func Drain(ctx context.Context, api API, node corev1.Node, o Options) ([]Left, error) {
	deadline := time.Now().Add(o.Timeout)
	for before := -1; ; {
		left, err := evict(ctx, api, node)
		if err != nil {
			return nil, err
		}
		if len(left) != before {
			before = len(left)
			o.Progress(left)
		}
		if len(left) == 0 || !time.Now().Before(deadline) {
			return left, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(o.Pause):
		}
	}
}

// evict evicts all pods that have to leave, and returns them.
func evict(ctx context.Context, api API, node corev1.Node) ([]Left, error) {
	pods, err := api.Pods(ctx, node.Name)
	if err != nil {
		return nil, err
	}
	var left []Left
	for _, pod := range pods {
		if !hasToLeave(pod, ready(node)) {
			continue
		}
		refusal := ""
		if pod.DeletionTimestamp == nil {
			if refusal, err = api.Evict(ctx, pod.ObjectMeta); err != nil {
				return nil, err
			}
		}
		left = append(left, Left{pod, refusal})
	}
	slices.SortFunc(left, func(a, b Left) int { return strings.Compare(a.Name(), b.Name()) })
	return left, nil
}
