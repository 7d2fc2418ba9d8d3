package stackconfig

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	if lacks, ok := cluster.get("lacks"); ok {
		t.Lacks = decodeTexts[topology.Feature](lacks) // checked with the rest below
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
	if autoscaling, ok := pool.get("autoscaling"); ok {
		p.Autoscaling = decodeAutoscaling(autoscaling)
	}
	p.Size = pool.text("size")
	p.OSDiskSizeGB = pool.integer("osDiskSizeGB")
	p.OSDiskType = topology.OSDiskType(pool.text("osDiskType"))
	if zones, ok := pool.get("zones"); ok {
		p.Zones = decodeTexts[string](zones)
	}
	p.Spot = decodeSpot(pool)
	if price, ok := pool.get("spotMaxPrice"); ok {
		p.SpotMaxPrice = price.number()
	}
	p.FIPS = pool.boolean("fips")
	p.DisableOutboundNAT = pool.boolean("disableOutboundNAT")
	p.MaxPods = pool.integer("maxPods")
	if upgrade, ok := pool.get("upgrade"); ok {
		p.Upgrade = decodeUpgrade(upgrade)
	}
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

// decodeAutoscaling wants a largest number: nothing else says that there is
// autoscaling.
func decodeAutoscaling(v value) topology.Autoscaling {
	var a topology.Autoscaling
	autoscaling, ok := v.object()
	if !ok {
		return a
	}
	a.Min = autoscaling.integer("min")
	if most, ok := autoscaling.require("max", "say how many nodes there may be at most"); ok {
		a.Max = most.integer()
	}
	autoscaling.finish()
	return a
}

// decodeTexts keeps the place of one that cannot be read, so that the paths of the others
// stay right.
func decodeTexts[T ~string](v value) []T {
	var texts []T
	for _, item := range v.list() {
		text, _ := item.text()
		texts = append(texts, T(text))
	}
	return texts
}

// decodeSpot takes what cannot be read for spot: with a price, it was meant so.
func decodeSpot(pool *object) bool {
	v, ok := pool.get("spot")
	if !ok {
		return false
	}
	spot, ok := v.boolean()
	return spot || !ok
}

func decodeUpgrade(v value) topology.Upgrade {
	var u topology.Upgrade
	upgrade, ok := v.object()
	if !ok {
		return u
	}
	if surge, ok := upgrade.get("maxSurge"); ok {
		u.MaxSurge = decodeShare(surge)
	}
	if unavailable, ok := upgrade.get("maxUnavailable"); ok {
		u.MaxUnavailable = decodeShare(unavailable)
	}
	u.DrainTimeoutMinutes = upgrade.integer("drainTimeoutMinutes")
	u.NodeSoakMinutes = upgrade.integer("nodeSoakMinutes")
	upgrade.finish()
	return u
}

// decodeShare reads a number of nodes, with or without quotes, or a percentage.
func decodeShare(v value) string {
	switch raw := whole(v.raw).(type) {
	case string:
		return raw
	case int:
		return strconv.Itoa(raw)
	default:
		v.mustBe(`a whole number or a percentage, 1 or "33%"`)
		return ""
	}
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
			item.report(field.Invalid(item.path, text,
				strings.TrimPrefix(err.Error(), fmt.Sprintf("taint %q: ", text))))
		}
		taints[i] = taint
	}
	return taints
}
