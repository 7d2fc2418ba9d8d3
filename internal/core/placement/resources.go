package placement

import (
	"cmp"
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

// checkResources refuses only a request for more than a whole node has for pods.
func (c *check) checkResources() {
	if c.node.allocatable == nil {
		return
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		allocatable := c.node.allocatable[name]
		if requested, ok := c.pod.total[name]; ok && requested.Cmp(allocatable) > 0 {
			c.refuse(&c.admitted, KindResources,
				func() (string, string) { return c.explainResources(name, requested, allocatable) })
		}
	}
	if c.pod.unknown(PartRequests) {
		c.admitted.unsure = true
	}
}

func (c *check) explainResources(
	name corev1.ResourceName, requested, allocatable resource.Quantity,
) (text, fix string) {
	suffix := ""
	if c.pod.RuntimeClass != nil {
		if overhead := c.pod.RuntimeClass.Overhead[name]; !overhead.IsZero() {
			suffix = " with the overhead of RuntimeClass " + c.pod.RuntimeClass.Name
		}
	}
	request, limit, unit := countCPUs(requested, math.Ceil), countCPUs(allocatable, math.Floor), cpus
	if name == corev1.ResourceMemory {
		request, limit = memory(requested, math.Ceil)+" of memory", memory(allocatable, math.Floor)+" of memory"
		unit = memory
	}
	has := c.node.capacity[name]
	of := cmp.Or(c.node.pool.Size, "the pool "+c.node.pool.Name)
	text = fmt.Sprintf("requests %s%s, a node of %s has %s", request, suffix, of, unit(has, math.Floor))
	if reserved := has.DeepCopy(); reserved.Cmp(allocatable) > 0 {
		reserved.Sub(allocatable)
		text += fmt.Sprintf(", reserves %s and leaves %s for pods",
			unit(reserved, math.Ceil), unit(allocatable, math.Floor))
	}
	return text, fmt.Sprintf("request at most %s, or use larger nodes", limit)
}

func countCPUs(q resource.Quantity, round func(float64) float64) string {
	if n := cpus(q, round); n != "1" {
		return n + " CPUs"
	}
	return "1 CPU"
}

// cpus rounds to three decimals: a request that the API server accepts has no more.
func cpus(q resource.Quantity, _ func(float64) float64) string {
	return number(math.Round(q.AsApproximateFloat64()*1000) / 1000)
}

// memory is rounded: requests up, and resources of nodes down, so that a request that is a
// little too large does not look as if it fitted.
func memory(q resource.Quantity, round func(float64) float64) string {
	return number(round(q.AsApproximateFloat64()/(1<<30)*100)/100) + " GiB"
}

func number(n float64) string {
	return strconv.FormatFloat(n, 'f', -1, 64)
}
