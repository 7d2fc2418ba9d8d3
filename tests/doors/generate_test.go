package doors

import (
	"fmt"
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

type (
	object = map[string]any
	list   = []any
)

// gen generates topologies, and workloads with the decisive fields and with fields that the API server refuses on pods
// of one operating system.
type gen struct{ *rand.Rand }

// generator returns a generator with the same values for the same seed, sort and index.
func generator(seed, sort, index uint64) gen {
	return gen{rand.New(rand.NewPCG(seed, sort<<48|index))}
}

func pick[T any](g gen, of ...T) T { return of[g.IntN(len(of))] }

// chance is true with a probability of percent.
func (g gen) chance(percent int) bool { return g.IntN(100) < percent }

// topology returns a topology, mostly with Linux and Windows pools, with different taints. Some nodes run images of older
// releases, and some lists of pools are not complete.
func (g gen) topology() topology.Topology {
	var t topology.Topology
	for i := range 1 + g.IntN(4) {
		p := topology.Pool{Platform: platform.Linux}
		if i > 0 {
			p.Platform = pick(g, topology.PoolPlatforms()...)
		}
		p.Name = fmt.Sprintf("pool%d", i)
		switch g.IntN(4) {
		case 0:
			p.Untainted = true
		case 1:
			p.Taints = []corev1.Taint{pick(g,
				topology.WindowsTaint(),
				corev1.Taint{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule},
				corev1.Taint{Key: "gpu", Effect: corev1.TaintEffectNoExecute},
				corev1.Taint{Key: "cattle.io/os", Value: string(p.Platform.OS()), Effect: corev1.TaintEffectNoSchedule},
			)}
		}
		if g.chance(30) {
			p.Labels = map[string]string{"disktype": pick(g, "ssd", "hdd")}
		}
		t.Pools = append(t.Pools, p)
	}
	if g.chance(40) {
		t.Matching = platform.Relaxed
	}
	t.Partial = g.chance(15)
	return t
}

// workload returns a workload whose pods have no claims, one or several.
func (g gen) workload() object {
	spec := object{"containers": g.containers()}
	if g.chance(15) {
		spec["initContainers"] = g.containers()
	}
	for range pick(g, 0, 0, 1, 1, 1, 2, 2, 3, 4) {
		s := pick(g, decisive...)
		put(spec, pick(g, s.values...), s.path...)
	}
	if g.chance(25) {
		s := pick(g, refused...)
		put(spec, pick(g, s.values...), s.path...)
	}
	if g.chance(10) {
		s := pick(g, refusedInContainers...)
		put(tree.Map(spec["containers"].(list)[0]), pick(g, s.values...), s.path...)
	}
	if g.chance(1) {
		s := pick(g, wrong...)
		put(spec, pick(g, s.values...), s.path...)
	}
	return g.wrap(spec)
}

func (g gen) containers() list {
	var all list
	for i := range pick(g, 1, 1, 1, 2) {
		c := object{"name": fmt.Sprintf("c%d", i), "image": pick(g, images...)}
		if g.chance(5) {
			c["command"] = pick(g, list{"cmd.exe", "/c", "dir"}, list{"sh", "-c", "true"}, list{`C:\web.exe`})
		}
		all = append(all, c)
	}
	return all
}

// wrap returns an object with the pods. The annotation is on the object or on the pod template.
func (g gen) wrap(spec object) object {
	labels := object{"app": "it"}
	pod := object{"metadata": object{"labels": labels}, "spec": spec}
	w := pick(g, kinds...)
	o := object{"apiVersion": w.apiVersion, "kind": w.kind, "metadata": object{}}
	keys, _ := pods.Template(w.kind)
	if len(keys) == 0 {
		put(o, labels, "metadata", "labels")
		o["spec"] = spec
	} else {
		put(o, pod, keys...)
	}
	switch w.kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		put(o, object{"matchLabels": labels}, "spec", "selector")
	case "Job", "CronJob":
		spec["restartPolicy"] = "Never"
	}
	if w.kind == "CronJob" {
		put(o, "0 0 * * *", "spec", "schedule")
	}
	if g.chance(12) {
		at := []string{"metadata", "annotations", preflight.PlatformAnnotation}
		if g.chance(50) {
			at = slices.Concat(keys, at)
		}
		put(o, pick[any](g, "linux", "windows", "windows-2019", "windows-2022", "windows-2025", "Windows", ""), at...)
	}
	return o
}

var kinds = []struct{ apiVersion, kind string }{
	{"v1", "Pod"},
	{"v1", "Pod"},
	{"apps/v1", "Deployment"},
	{"apps/v1", "Deployment"},
	{"apps/v1", "ReplicaSet"},
	{"apps/v1", "StatefulSet"},
	{"apps/v1", "DaemonSet"},
	{"v1", "ReplicationController"},
	{"batch/v1", "Job"},
	{"batch/v1", "CronJob"},
}

// put sets a copy of a value at a path, and creates the objects on the path.
func put(in object, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		next := tree.Map(in[key])
		if next == nil {
			next = object{}
			in[key] = next
		}
		in = next
	}
	in[path[len(path)-1]] = runtime.DeepCopyJSONValue(value)
}
