package status_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab/status"
)

// A pod of Windows on a Linux node runs in the lab, which has no machines, and would not run elsewhere.
func ExampleJudge() {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: "sys-0", Labels: map[string]string{corev1.LabelOSStable: "linux"},
	}}
	pod := &corev1.Pod{
		Spec:   corev1.PodSpec{NodeName: "sys-0", OS: &corev1.PodOS{Name: corev1.Windows}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	fmt.Println(status.Judge(pod, node, node))
	// Output:
	// is on the linux node sys-0, but its os.name is windows
}
