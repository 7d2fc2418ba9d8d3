package stackconfig

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// decodeTopology reads a topology, applies its defaults and validates it.
func decodeTopology(v value) topology.Topology {
	var t topology.Topology
	cluster, ok := v.object()
	if !ok {
		return t
	}
	t.KubernetesVersion = cluster.text("kubernetesVersion")
	if pools, ok := cluster.get("pools"); ok {
		for _, pool := range pools.list() {
			t.Pools = append(t.Pools, decodePool(pool))
		}
	}
	cluster.finish()

	t = t.WithDefaults()
	// A field that could not be read is reported as that only, not once more as
	// missing.
	unread := map[string]bool{}
	for _, err := range *v.errs {
		unread[err.Field] = true
	}
	for _, err := range t.Validate(v.path) {
		if !unread[err.Field] {
			v.report(err)
		}
	}
	return t
}

func decodePool(v value) topology.Pool {
	var p topology.Pool
	pool, ok := v.object()
	if !ok {
		return p
	}
	p.Name = pool.text("name")
	p.Platform = decodePlatform(pool)
	p.Mode = topology.Mode(pool.text("mode"))
	if count, ok := pool.get("count"); ok {
		// Here 0 is a number that somebody wrote, not a field left out.
		if p.Count = count.integer(); p.Count == 0 {
			p.Count = topology.NoNodes
		}
	}
	p.Size = pool.text("size")
	p.KubernetesVersion = pool.text("kubernetesVersion")
	if labels, ok := pool.get("labels"); ok {
		p.Labels = decodeLabels(labels)
	}
	if taints, ok := pool.get("taints"); ok {
		p.Taints = decodeTaints(taints)
	}
	pool.finish()
	return p
}

// decodePlatform accepts everything that platform.Parse does: the name, a
// container tag, a build, a product's name.
func decodePlatform(pool *object) platform.Platform {
	v, ok := pool.get("platform")
	if !ok {
		return ""
	}
	text := v.text()
	if text == "" {
		return ""
	}
	p, err := platform.Parse(text)
	if err != nil {
		v.report(field.Invalid(v.path, text, err.Error()))
	}
	return p
}

func decodeLabels(v value) map[string]string {
	labels, ok := v.object()
	if !ok {
		return nil
	}
	out := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(labels.values)) {
		out[key] = value{v.path.Key(key), labels.values[key], v.errs}.text()
	}
	return out
}

// decodeTaints reads taints in the form key=value:Effect.
func decodeTaints(v value) []corev1.Taint {
	out := []corev1.Taint{}
	for _, item := range v.list() {
		text := item.text()
		if text == "" {
			continue
		}
		taint, err := topology.ParseTaint(text)
		if err != nil {
			item.report(field.Invalid(item.path, text, err.Error()))
			continue
		}
		out = append(out, taint)
	}
	return out
}
