package eviction_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/components/kubeadm/eviction"
)

// apiServer has pods, and a budget that allows no eviction of one of them.
type apiServer struct{ pods []corev1.Pod }

func (a *apiServer) Pods(context.Context, string) ([]corev1.Pod, error) { return a.pods, nil }

func (a *apiServer) Evict(_ context.Context, pod metav1.ObjectMeta) (refusal string, err error) {
	if pod.Name == "web-0" {
		return "Cannot evict pod as it would violate the pod's disruption budget.", nil
	}
	for i := range a.pods {
		if a.pods[i].Name == pod.Name {
			a.pods[i].Status.Phase = corev1.PodSucceeded
		}
	}
	return "", nil
}

// Pods that a budget protects are left.
func Example() {
	pod := func(name string) corev1.Pod {
		return corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
	}
	left, err := eviction.Drain(context.Background(), &apiServer{[]corev1.Pod{pod("web-0"), pod("job")}}, corev1.Node{},
		eviction.Options{
			Timeout: time.Millisecond, Pause: time.Millisecond,
			Progress: func(left []eviction.Left) { fmt.Println(len(left), "left") },
		})
	fmt.Println(left[0].Name(), left[0].Refusal, err)
	// Output:
	// 2 left
	// 1 left
	// shop/web-0 Cannot evict pod as it would violate the pod's disruption budget. <nil>
}
