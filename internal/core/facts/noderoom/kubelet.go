package noderoom

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Kubelet is the part of a kubelet's configuration that limits the room for pods.
type Kubelet struct {
	SystemReserved, KubeReserved map[string]string
	// EvictionHard are quantities, or percentages of the capacity.
	EvictionHard map[string]string
}

// Reserved returns what the kubelet reserves on a node with a capacity. The eviction threshold for
// memory counts, as it does in the kubelet, and those for disks do not. Quantities that are not
// valid reserve nothing.
func (k Kubelet) Reserved(capacity corev1.ResourceList) corev1.ResourceList {
	reserved := corev1.ResourceList{}
	add := func(name corev1.ResourceName, q resource.Quantity) {
		sum := reserved[name]
		sum.Add(q)
		reserved[name] = sum
	}
	for _, list := range []map[string]string{k.SystemReserved, k.KubeReserved} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			if q, err := tree.ParseQuantity(list[name]); err == nil {
				add(corev1.ResourceName(name), q)
			}
		}
	}
	add(corev1.ResourceMemory, threshold(k.EvictionHard["memory.available"], capacity[corev1.ResourceMemory]))
	return reserved
}

func threshold(text string, capacity resource.Quantity) resource.Quantity {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		share, err := strconv.ParseFloat(percent, 64)
		if err != nil {
			return resource.Quantity{}
		}
		return *resource.NewQuantity(int64(float64(capacity.Value())*share/100), resource.BinarySI)
	}
	q, err := tree.ParseQuantity(text)
	if err != nil {
		return resource.Quantity{}
	}
	return q
}
