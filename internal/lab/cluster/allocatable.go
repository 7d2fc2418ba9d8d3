package cluster

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// setAllocatable takes from a node what its kubelet keeps from pods
// (https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/).
func setAllocatable(node *corev1.Node, k machine.Kubelet) {
	if k.MaxPods > 0 {
		node.Status.Capacity[corev1.ResourcePods] = *resource.NewQuantity(int64(k.MaxPods), resource.DecimalSI)
	}
	for name, capacity := range node.Status.Capacity {
		left := capacity.DeepCopy()
		for _, reserved := range []map[string]string{k.SystemReserved, k.KubeReserved} {
			if quantity, err := resource.ParseQuantity(reserved[string(name)]); err == nil {
				left.Sub(quantity)
			}
		}
		if name == corev1.ResourceMemory {
			left.Sub(threshold(k.EvictionHard["memory.available"], capacity))
		}
		if left.Sign() < 0 {
			left.Set(0)
		}
		node.Status.Allocatable[name] = left
	}
}

// threshold is a quantity, or a percentage of the capacity; nothing where there is none.
func threshold(text string, capacity resource.Quantity) resource.Quantity {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		share, err := strconv.ParseFloat(percent, 64)
		if err != nil {
			return resource.Quantity{}
		}
		return *resource.NewQuantity(int64(float64(capacity.Value())*share/100), resource.BinarySI)
	}
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return resource.Quantity{}
	}
	return quantity
}
