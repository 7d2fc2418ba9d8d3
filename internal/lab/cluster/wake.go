package cluster

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

const (
	// asleep is how long a pod may be on a node without being started. KWOK takes a second.
	asleep = 10 * time.Second
	// wokenAnnotation is the annotation that waking a pod changes.
	wokenAnnotation = "lab.mixedkube.io/woken"
)

// KeepAwake wakes pods, see [Wake], until ctx is done.
func (c Cluster) KeepAwake(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(asleep / 2):
		}
		if client, err := c.Client(); err == nil {
			_ = Wake(ctx, client) // The next round tries again.
		}
	}
}

// Wake changes an annotation of the pods that are on a node and have not been started for a while.
// KWOK (v0.8.0) sometimes loses the event of a pod, which then stays Pending. A change of the pod is
// another event.
func Wake(ctx context.Context, client kubernetes.Interface) error {
	list, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Pending"})
	if err != nil {
		return err
	}
	now := time.Now()
	for _, pod := range list.Items {
		if !isAsleep(&pod, now) {
			continue
		}
		patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, wokenAnnotation,
			now.UTC().Format(time.RFC3339))
		pods := client.CoreV1().Pods(pod.Namespace)
		if _, err := pods.Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func isAsleep(pod *corev1.Pod, now time.Time) bool {
	if pod.DeletionTimestamp != nil || pod.Spec.NodeName == "" || pod.Status.Phase != corev1.PodPending {
		return false
	}
	woken, err := time.Parse(time.RFC3339, pod.Annotations[wokenAnnotation])
	if err == nil && now.Sub(woken) < asleep/2 {
		return false
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled {
			return c.Status == corev1.ConditionTrue && now.Sub(c.LastTransitionTime.Time) >= asleep
		}
	}
	return false
}
