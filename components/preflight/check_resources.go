package preflight

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// bytesResources are counted in whole bytes.
var bytesResources = [...]string{string(corev1.ResourceMemory), string(corev1.ResourceEphemeralStorage)}

// resources checks what containers request, and what they may have at most.
func (c *check) resources(p *pods) {
	onWindows := p.target.os() == platform.WindowsOS
	for i := range p.containers {
		ctr := &p.containers[i]
		resources := tree.Map(ctr.spec["resources"])
		if resources == nil {
			continue
		}
		for _, list := range [...]string{"limits", "requests"} {
			quantities := tree.Map(resources[list])
			for _, name := range bytesResources {
				c.fraction(p, ctr, list, name, quantities[name])
			}
			if !onWindows || len(quantities) == 0 {
				continue
			}
			for name, v := range quantities {
				if strings.HasPrefix(name, corev1.ResourceHugePagesPrefix) && isPositive(v) {
					c.report("MK501", problem{
						path: p.in(ctr, "resources", list, key(name)), value: v,
						detail: "Windows has no huge pages for containers", fix: "remove it",
					})
				}
			}
		}
		if onWindows {
			c.memory(p, ctr, resources)
		}
	}
}

func (c *check) fraction(p *pods, ctr *container, list, name string, v any) {
	switch value := tree.Reveal(v).(type) {
	case string:
		// Whole numbers of bytes end in a digit, or in the suffix of a multiple.
		if last := len(value) - 1; last < 1 || value[last] != 'm' && value[last] != 'u' && value[last] != 'n' {
			return
		}
		if q, err := resource.ParseQuantity(value); err != nil || q.MilliValue()%1000 == 0 {
			return
		}
	case float64:
	default:
		return
	}
	fix := "use a whole number of bytes"
	if text, ok := v.(string); ok && strings.HasSuffix(text, "m") {
		fix = "did you mean " + strings.TrimSuffix(text, "m") + "Mi?"
	}
	c.report("MK518", problem{path: p.in(ctr, "resources", list, name), value: v, detail: "is a fraction of a byte", fix: fix})
}

// memory compares the request with the limit. A request that is not set is the
// limit; without a limit there is nothing to compare.
func (c *check) memory(p *pods, ctr *container, resources map[string]any) {
	const name = string(corev1.ResourceMemory)
	v := tree.Map(resources["requests"])[name]
	request, ok := quantity(v)
	if !ok {
		return
	}
	if limit, ok := quantity(tree.Map(resources["limits"])[name]); !ok || limit == request || sameQuantity(request, limit) {
		return
	}
	c.report("MK514", problem{
		path: p.in(ctr, "resources", "requests", name), value: v,
		detail: "differs from the limit, and Windows does not protect a node whose memory is promised twice", fix: "make request and limit the same",
	})
}

// quantity is a quantity as it is written.
func quantity(v any) (string, bool) {
	switch value := tree.Reveal(v).(type) {
	case string:
		return value, true
	case int64:
		return resource.NewQuantity(value, resource.DecimalSI).String(), true
	}
	return "", false
}

// sameQuantity counts what cannot be read as the same: the API server refuses it.
func sameQuantity(a, b string) bool {
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	return errX != nil || errY != nil || x.Cmp(y) == 0
}

// isPositive counts a quantity that is not known as one that is not.
func isPositive(v any) bool {
	text, ok := quantity(v)
	if !ok {
		return false
	}
	q, err := resource.ParseQuantity(text)
	return err == nil && q.Sign() > 0
}
