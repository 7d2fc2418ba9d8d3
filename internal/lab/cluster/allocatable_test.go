package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

func TestAllocatable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kubelet           machine.Kubelet
		cpu, memory, pods string
	}{
		"nothing is set": {machine.Kubelet{}, "4", "16Gi", "110"},
		"the defaults of Windows": {
			machine.Kubelet{
				SystemReserved: map[string]string{"cpu": "250m", "memory": "2Gi"},
				KubeReserved:   map[string]string{"cpu": "100m", "memory": "512Mi"},
				EvictionHard:   map[string]string{"memory.available": "500Mi", "nodefs.available": "10%"},
			}, "3650m", "13324Mi", "110",
		},
		"a percentage, and fewer pods": {machine.Kubelet{
			EvictionHard: map[string]string{"memory.available": "25%"},
			MaxPods:      60,
		}, "4", "12Gi", "60"},
		"more than there is": {machine.Kubelet{
			SystemReserved: map[string]string{"cpu": "8"},
			EvictionHard:   map[string]string{"memory.available": "0%"},
		}, "0", "16Gi", "110"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			capacity := corev1.ResourceList{
				"cpu": resource.MustParse("4"), "memory": resource.MustParse("16Gi"),
				"pods": resource.MustParse("110"),
			}
			node := &corev1.Node{Status: corev1.NodeStatus{Capacity: capacity, Allocatable: capacity.DeepCopy()}}
			setAllocatable(node, tt.kubelet)
			for resourceName, want := range map[corev1.ResourceName]string{
				"cpu": tt.cpu, "memory": tt.memory,
				"pods": tt.pods,
			} {
				got := node.Status.Allocatable[resourceName]
				if got.Cmp(resource.MustParse(want)) != 0 {
					t.Errorf("%s: got %s, want %s", resourceName, got.String(), want)
				}
			}
			if pods := node.Status.Capacity[corev1.ResourcePods]; pods.Cmp(resource.MustParse(tt.pods)) != 0 {
				t.Errorf("the node has %s pods, want %s", pods.String(), tt.pods)
			}
		})
	}
}
