package drain_test

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/drain"
)

// Nodes that are not desired are cordoned and drained. Here no pods are left on them.
func Example() {
	node := func(name string) corev1.Node {
		return corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: name, Annotations: map[string]string{drain.PoolAnnotation: "win22"},
		}}
	}
	api := &cluster{nodes: []corev1.Node{node("win22-0"), node("win22-1")}}
	desired := drain.Nodes{Names: []string{"win22-0"}, Log: func(message string) { fmt.Println(message) }}
	if err := desired.DrainOthers(context.Background(), api); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Join(api.log, "\n"))
	// Output:
	// node win22-1 leaves: drained
	// patch nodes win22-1 map[metadata:map[annotations:map[mixedkube.dev/cordoned:true]] spec:map[unschedulable:true]]
}
