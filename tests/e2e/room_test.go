package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	aksplan "github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// checkRoom requests all the memory that a Windows node of the stack lab has in addition to its IIS pod, and one byte
// more than an empty node has: the preview and the scheduler must agree about both pods.
func checkRoom(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	const memoryOfIIS = 300 << 20
	pool := aksplan.Registered(topology.Pool{
		Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5",
		KubernetesVersion: "1.36",
	}, aksplan.PoolOptions{}, aksplan.Overlay)
	cluster := topology.Topology{Pools: []topology.Pool{pool}}
	allocatable, _ := pool.Allocatable()
	all := allocatable.Memory().Value()
	fits, wide := windowsPod("fits", all-memoryOfIIS), windowsPod("wide", all+1)

	if found := findings(t, fits, cluster); found != "" {
		t.Errorf("the memory of a node: %s", found)
	}
	const want = "(requests 10 GiB of memory, a node of Standard_D4s_v5 has 15.99 GiB, reserves 6 GiB and leaves " +
		"9.99 GiB for pods)"
	if found := findings(t, wide, cluster); !strings.Contains(found, want) {
		t.Errorf("a byte more than the memory of a node: got %q, want %q in it", found, want)
	}
	for _, pod := range []*corev1.Pod{fits, wide} {
		_, err := client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{})
		check(t, err)
	}
	eventually(t, func(ctx context.Context) string {
		fits, wide := nodeOrReason(ctx, t, client, "fits"), nodeOrReason(ctx, t, client, "wide")
		if strings.HasPrefix(fits, "akswin22d00000") && strings.Contains(wide, "Insufficient memory") {
			return ""
		}
		return fmt.Sprintf("the pod that fits: %s; the pod that does not: %s", fits, wide)
	})
	for _, pod := range []*corev1.Pod{fits, wide} {
		check(t, client.CoreV1().Pods(metav1.NamespaceDefault).Delete(t.Context(), pod.Name,
			metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}))
	}
}

func windowsPod(name string, bytes int64) *corev1.Pod {
	memory := corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(bytes, resource.BinarySI)}
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PodSpec{
			OS: &corev1.PodOS{Name: corev1.Windows},
			NodeSelector: map[string]string{
				corev1.LabelOSStable: "windows", corev1.LabelWindowsBuild: "10.0.20348",
			},
			Tolerations: []corev1.Toleration{{Key: "os", Value: "windows", Effect: corev1.TaintEffectNoSchedule}},
			Containers: []corev1.Container{{
				Name: "c", Image: "mcr.microsoft.com/windows/nanoserver:ltsc2022",
				Resources: corev1.ResourceRequirements{Requests: memory, Limits: memory},
			}},
		},
	}
}

// findings returns the errors of the preview, with a line for each.
func findings(t *testing.T, pod *corev1.Pod, cluster topology.Topology) string {
	t.Helper()
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(pod)
	check(t, err)
	var lines []string
	for _, f := range preflight.Check(object, preflight.Options{Topology: cluster}) {
		if f.Blocks() {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// nodeOrReason returns the node of a pod, or the reason why the scheduler has found none.
func nodeOrReason(ctx context.Context, t *testing.T, client kubernetes.Interface, name string) string {
	t.Helper()
	pod, err := client.CoreV1().Pods(metav1.NamespaceDefault).Get(ctx, name, metav1.GetOptions{})
	check(t, err)
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			return condition.Message
		}
	}
	return "not seen by the scheduler"
}
