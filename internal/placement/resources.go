package placement

import (
	"fmt"
	"maps"
	"math"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func sum(a, b corev1.ResourceList) corev1.ResourceList {
	total := maps.Clone(a)
	if total == nil {
		total = corev1.ResourceList{}
	}
	for name, quantity := range b {
		both := total[name].DeepCopy()
		both.Add(quantity)
		total[name] = both
	}
	return total
}

// checkResources refuses only what is larger than a whole node: what a node
// can give is less, but how much less its size does not tell.
func (c *check) checkResources() {
	if c.node.capacity == nil {
		return
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		has := c.node.capacity[name]
		if wanted, ok := c.pod.total[name]; ok && wanted.Cmp(has) > 0 {
			c.refuse(&c.admitted, KindResources,
				func() (string, string) { return c.explainResources(name, wanted, has) })
		}
	}
	if c.pod.unknown(PartRequests) {
		c.admitted.unsure = true
	}
}

func (c *check) explainResources(name corev1.ResourceName, wanted, has resource.Quantity) (text, fix string) {
	suffix := ""
	if c.pod.RuntimeClass != nil {
		if overhead := c.pod.RuntimeClass.Overhead[name]; !overhead.IsZero() {
			suffix = " with the overhead of RuntimeClass " + c.pod.RuntimeClass.Name
		}
	}
	size := c.node.pool.Size
	if name == corev1.ResourceCPU {
		return fmt.Sprintf("requests %s%s, a node of %s has %s", countCPUs(wanted), suffix, size, cpus(has)),
			fmt.Sprintf("request less than %s, or use larger nodes", countCPUs(has))
	}
	return fmt.Sprintf("requests %s of memory%s, a node of %s has %s", memory(wanted), suffix, size, memory(has)),
		fmt.Sprintf("request less than %s of memory, or use larger nodes", memory(has))
}

func countCPUs(q resource.Quantity) string {
	if n := cpus(q); n != "1" {
		return n + " CPUs"
	}
	return "1 CPU"
}

// cpus has no more than three decimals: nor has a request that the API server
// accepts.
func cpus(q resource.Quantity) string {
	return number(math.Round(q.AsApproximateFloat64()*1000) / 1000)
}

// memory is not rounded, so that what is a little too large does not look as if
// it fitted.
func memory(q resource.Quantity) string {
	return number(q.AsApproximateFloat64()/(1<<30)) + " GiB"
}

func number(n float64) string {
	return strconv.FormatFloat(n, 'f', -1, 64)
}
