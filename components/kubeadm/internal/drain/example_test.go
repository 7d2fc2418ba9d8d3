package drain_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/drain"
)

// Nodes that are not desired are cordoned and drained. Here no pods are left on them.
func Example() {
	node := func(name string) corev1.Node {
		return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
	api := &cluster{nodes: []corev1.Node{node("win22-0"), node("win22-1")}}
	desired := drain.Nodes{
		Before: []string{"win22-0", "win22-1"}, Names: []string{"win22-0"},
		Timeout: func(string) time.Duration { return drain.DefaultTimeout },
		Log:     func(message string) { fmt.Println(message) },
	}
	if err := desired.DrainLeaving(context.Background(), api); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Join(api.log, "\n"))
	// Output:
	// node win22-1 leaves: drained
	// patch nodes win22-1 map[spec:map[unschedulable:true]]
}
