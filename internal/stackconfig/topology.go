package stackconfig

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// DecodeTopology reads a topology alone, as the configuration has it for the key
// of the cluster, and gives it its defaults. The errors are all that is wrong, with
// paths inside it, sorted; the topology is empty then.
func DecodeTopology(raw any) (topology.Topology, field.ErrorList) {
	var errs field.ErrorList
	t := decodeTopology(value{nil, raw, &errs})
	if len(errs) > 0 {
		t = topology.Topology{}
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return fielderrors.ComparePaths(a.Field, b.Field) })
	return t, errs
}

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
	// What could not be read is reported as that only: neither once more as
	// missing, nor for what stands in its place.
	unread := slices.Clone(*v.errs)
	for _, err := range t.Validate(v.path) {
		if !slices.ContainsFunc(unread, func(u *field.Error) bool { return within(err.Field, u.Field) }) {
			v.report(err)
		}
	}
	return t
}

// within says whether a path is another one, or below it.
func within(path, parent string) bool {
	rest, ok := strings.CutPrefix(path, parent)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
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
		p.Count = decodeCount(count)
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
// container tag, a build, a product's name. Anything else stays as it is: the
// topology says which platforms a pool can have.
func decodePlatform(pool *object) platform.Platform {
	text := pool.text("platform")
	if p, err := platform.Parse(text); err == nil {
		return p
	}
	return platform.Platform(text)
}

// decodeCount takes 0 as a number that somebody wrote, not as a field left out.
func decodeCount(v value) int {
	count := v.integer()
	if count < 0 {
		v.report(field.Invalid(v.path, count, "must not be negative: write 0 for a pool without nodes"))
	}
	return cmp.Or(max(count, 0), topology.NoNodes)
}

func decodeLabels(v value) map[string]string {
	labels, ok := v.object()
	if !ok {
		return nil
	}
	out := map[string]string{}
	for key, raw := range labels.values {
		out[key], _ = value{v.path.Key(key), raw, v.errs}.text()
	}
	return out
}

// decodeTaints reads taints in the form key=value:Effect. One that cannot be
// read keeps its place, so that the paths of the others stay right.
func decodeTaints(v value) []corev1.Taint {
	items := v.list()
	taints := make([]corev1.Taint, len(items))
	for i, item := range items {
		text, ok := item.text()
		if !ok {
			continue
		}
		taint, err := topology.ParseTaint(text)
		if err != nil {
			item.report(field.Invalid(item.path, text, strings.TrimPrefix(err.Error(), fmt.Sprintf("taint %q: ", text))))
		}
		taints[i] = taint
	}
	return taints
}
