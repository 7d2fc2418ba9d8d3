package drain_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/drain"
)

// The nodes that are not to be there are cordoned, and their pods evicted.
func Example() {
	node := func(name string) corev1.Node {
		return corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: name, Annotations: map[string]string{drain.PoolAnnotation: "win22"},
		}}
	}
	api := &cluster{
		nodes: []corev1.Node{node("win22-0"), node("win22-1")},
		pods: []corev1.Pod{{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}, Spec: corev1.PodSpec{NodeName: "win22-1"},
		}},
		takes: -time.Second, // it is gone at once
	}
	wanted := drain.Nodes{Names: []string{"win22-0"}, Log: func(message string) { fmt.Println(message) }}
	if err := wanted.DrainOthers(context.Background(), api); err != nil {
		fmt.Println(err)
	}
	// Output:
}
