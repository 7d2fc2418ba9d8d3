package placement_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// A gen generates topologies and pods from few words, so that they often fit. The seed
// determines what it generates.
type gen struct{ *rand.Rand }

func newGen(seed uint64) gen { return gen{rand.New(rand.NewPCG(seed, 0))} }

func pick[T any](g gen, from ...T) T { return from[g.IntN(len(from))] }

func (g gen) chance(n int) bool { return g.IntN(n) == 0 }

func many[T any](g gen, most int, one func() T) []T {
	var all []T
	for range g.IntN(most + 1) {
		all = append(all, one())
	}
	return all
}

func (g gen) pools() []topology.Pool {
	pools := many(g, 5, func() topology.Pool {
		return topology.Pool{
			Platform: pick(g, topology.PoolPlatforms()...),
			Count:    pick(g, 0, 0, 3),
			Autoscaling: pick(g, topology.Autoscaling{}, topology.Autoscaling{Max: 5},
				topology.Autoscaling{Min: 3, Max: 3}),
			Size:   pick(g, "", "Standard_D4s_v5", "Standard_D2s_v3", "m7g.large"),
			Labels: g.labels("disktype", "example.com/gpu"),
			Taints: pick(g, nil, many(g, 2, g.taint)),
		}
	})
	for i := range pools {
		pools[i].Empty = pools[i].Count == 0 && pick(g, true, false)
		pools[i].Untainted = len(pools[i].Taints) == 0 && pick(g, true, false)
		pools[i].Name = fmt.Sprintf("pool%d", i)
	}
	return pools
}

func (g gen) taint() corev1.Taint {
	return corev1.Taint{
		Key: pick(g, "os", "gpu", "node.kubernetes.io/not-ready"), Value: pick(g, "", "windows"),
		Effect: g.effect(),
	}
}

func (g gen) effect() corev1.TaintEffect {
	return pick(g, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)
}

func (g gen) value() string {
	return pick(g, "", "windows", "linux", "Windows", "amd64", "arm64", "10.0.20348", "10.0.26100", "ssd", "8")
}

func (g gen) labels(keys ...string) map[string]string {
	m := map[string]string{}
	for range g.IntN(3) {
		m[pick(g, keys...)] = g.value()
	}
	return m
}

// selector returns a node selector that usually fits somewhere.
func (g gen) selector() map[string]string {
	return pick(g, nil, set("kubernetes.io/os", "windows"), set("kubernetes.io/os", "linux"),
		g.labels("kubernetes.io/os", "kubernetes.io/arch", "disktype", "example.com/gpu", topology.LabelWindowsBuild,
			"example.org/cloud"))
}

func (g gen) toleration() corev1.Toleration {
	return corev1.Toleration{
		Key:      pick(g, "", "os", "OS", "gpu"),
		Operator: pick(g, "", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpGt, "equal"),
		Value:    pick(g, "", "windows", "Windows"),
		Effect:   pick(g, "", g.effect()),
	}
}

func (g gen) required() *corev1.NodeSelector {
	if g.chance(2) {
		return nil
	}
	requirement := func() corev1.NodeSelectorRequirement {
		return expr(
			pick(g, "kubernetes.io/os", "kubernetes.io/hostname", "disktype", "example.org/cloud", "bad key"),
			pick(g, corev1.NodeSelectorOpIn, "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Equals"),
			many(g, 2, g.value)...,
		)
	}
	field := func() corev1.NodeSelectorRequirement {
		return expr(pick(g, "metadata.name", "metadata.uid"), pick(g, corev1.NodeSelectorOpIn, "NotIn", "Exists"),
			many(g, 2, g.value)...)
	}
	return &corev1.NodeSelector{NodeSelectorTerms: many(g, 3, func() corev1.NodeSelectorTerm {
		t := corev1.NodeSelectorTerm{MatchExpressions: many(g, 2, requirement)}
		if g.chance(4) {
			t.MatchFields = many(g, 2, field)
		}
		return t
	})}
}

func (g gen) requests() corev1.ResourceList {
	return requests(pick(g, "", "1", "2", "3", "16"), pick(g, "", "1Gi", "12Gi", "64Gi"))
}

func (g gen) class() *placement.RuntimeClass {
	if g.chance(2) {
		return nil
	}
	return &placement.RuntimeClass{
		Name: "class", NodeSelector: g.selector(), Tolerations: g.tolerations(), Overhead: pick(g, nil, g.requests()),
	}
}

func (g gen) tolerations() []corev1.Toleration {
	return pick(g, nil, tolerateWindows(), many(g, 3, g.toleration))
}

func (g gen) image() placement.Image {
	return image(pick(g, "alpine", "example.com/shop:1", "mcr.microsoft.com/windows/nanoserver:ltsc2022",
		"mcr.microsoft.com/windows/servercore"))
}

// pod creates a pod that is known completely.
func (g gen) pod() placement.Pod {
	return placement.Pod{
		OS:           pick(g, "", linuxOS, windowsOS),
		NodeSelector: g.selector(),
		Required:     g.required(),
		Tolerations:  g.tolerations(),
		RuntimeClass: g.class(),
		Requests:     g.requests(),
		Images:       many(g, 2, g.image),
		Volumes:      pick(g, nil, many(g, 2, g.volume)),
		DaemonSet:    g.chance(3),
		NodeName:     pick(g, "", "", "", "", "", "a-node"),
	}
}

// forget removes values from a pod, and adds their parts to the unknown parts.
func (g gen) forget(p placement.Pod) placement.Pod {
	p.Unknown = placement.Parts(g.Uint32()) & (1<<8 - 1)
	unknown := func(part placement.Parts) bool { return p.Unknown&part != 0 }
	if unknown(placement.PartOS) {
		p.OS = pick(g, "", linuxOS, windowsOS)
	}
	if unknown(placement.PartSelector) {
		known := map[string]string{}
		for _, key := range sortedKeys(p.NodeSelector) {
			if g.chance(2) {
				known[key] = p.NodeSelector[key]
			}
		}
		p.NodeSelector = known
	}
	if unknown(placement.PartAffinity) {
		p.Required = g.required()
	}
	if unknown(placement.PartTolerations) {
		p.Tolerations = g.some(p.Tolerations)
	}
	if unknown(placement.PartRuntimeClass) {
		p.RuntimeClass = nil
	}
	if unknown(placement.PartRequests) {
		p.Requests = nil
	}
	if unknown(placement.PartImages) {
		p.Images = p.Images[:g.IntN(len(p.Images)+1)]
	}
	if unknown(placement.PartVolumes) {
		p.Volumes = p.Volumes[:g.IntN(len(p.Volumes)+1)]
	}
	return p
}

func (g gen) volume() placement.Volume {
	return placement.Volume{Name: "data", Required: pick(g, nil, g.required())}
}

func (g gen) some(from []corev1.Toleration) []corev1.Toleration {
	return slices.DeleteFunc(slices.Clone(from), func(corev1.Toleration) bool { return g.chance(2) })
}

// forEachSeed checks a property of many topologies and pods.
func forEachSeed(t *testing.T, property func(t *testing.T, g gen)) {
	t.Helper()
	for seed := range uint64(5000) {
		property(t, newGen(seed))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestUnknownPartsAreNeverDecided(t *testing.T) {
	t.Parallel()
	forEachSeed(t, func(t *testing.T, g gen) {
		t.Helper()
		pools, whole := g.pools(), g.pod()
		part := g.forget(whole)
		known, partly := place(whole, pools...).Verdicts, place(part, pools...).Verdicts
		for i := range known {
			check := func(what string, known, partly platform.Answer) {
				if partly != unknown && partly != known {
					t.Errorf("%s, %s: %s of the part, %s of the whole\npart: %+v\nwhole: %+v", pools[i].Name, what,
						partly, known, part, whole)
				}
			}
			check("schedules", known[i].Schedules, partly[i].Schedules)
			check("runs", known[i].Runs, partly[i].Runs)
			if partly[i].PendingPods && !known[i].PendingPods {
				t.Errorf("%s: pending pods of the part only\npart: %+v\nwhole: %+v", pools[i].Name, part, whole)
			}
		}
	})
}

// Place never contradicts upstream's functions for a whole pod and a node with the
// pool's labels: it returns their answer, or Unknown.
func TestTheSchedulerAgrees(t *testing.T) {
	t.Parallel()
	decided := map[platform.Answer]int{}
	forEachSeed(t, func(t *testing.T, g gen) {
		t.Helper()
		pods, pools := g.pod(), topology.Topology{Pools: g.pools()}.WithDefaults().Pools
		pods.NodeName, pods.DaemonSet, pods.RuntimeClass, pods.Requests = "", false, nil, nil
		for i, v := range place(pods, pools...).Verdicts {
			decided[v.Schedules]++
			if want := upstream(pods, pools[i]); v.Schedules != unknown && (v.Schedules == yes) != want {
				t.Errorf("%s: schedules %s, upstream %t\n%+v", v.Pool.Name, v.Schedules, want, pods)
			}
		}
	})
	if decided[yes] < 1000 || decided[no] < 1000 || decided[unknown] < 100 {
		t.Errorf("one of the answers is too rare: %v", decided)
	}
}

func upstream(p placement.Pod, pool topology.Pool) bool {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		NodeSelector: p.NodeSelector,
		Affinity: &corev1.Affinity{
			NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: p.Required},
		},
	}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a-node", Labels: pool.NodeLabels()}}
	matches, _ := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node)
	keepsOff := func(t *corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }
	_, untolerated := call(scheduling.FindMatchingUntoleratedTaint, pool.Taints, p.Tolerations, keepsOff)
	for _, v := range p.Volumes {
		// This is CheckNodeAffinity in component-helpers/storage/volume, which needs client-go.
		if v.Required != nil {
			labels := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: node.Labels}}
			fits, err := scheduling.MatchNodeSelectorTerms(labels, v.Required)
			matches = matches && fits && err == nil
		}
	}
	return matches && !untolerated
}

// call is FindMatchingUntoleratedTaint with the zero logger.
func call[Logger any, Filter ~func(*corev1.Taint) bool](
	find func(Logger, []corev1.Taint, []corev1.Toleration, Filter, bool) (corev1.Taint, bool),
	taints []corev1.Taint, tolerations []corev1.Toleration, filter func(*corev1.Taint) bool,
) (corev1.Taint, bool) {
	var logger Logger
	return find(logger, taints, tolerations, filter, false)
}

func TestATolerationNeverRemovesAPool(t *testing.T) {
	t.Parallel()
	forEachSeed(t, func(t *testing.T, g gen) {
		t.Helper()
		pools, pod := g.pools(), g.forget(g.pod())
		before := place(pod, pools...).Verdicts
		pod.Tolerations = append(slices.Clone(pod.Tolerations), g.toleration())
		for i, after := range place(pod, pools...).Verdicts {
			if rank(after.Schedules) < rank(before[i].Schedules) {
				t.Errorf("%s: %s before, %s after\n%+v", after.Pool.Name, before[i].Schedules, after.Schedules, pod)
			}
		}
	})
}

func TestASelectorNeverAddsAPool(t *testing.T) {
	t.Parallel()
	forEachSeed(t, func(t *testing.T, g gen) {
		t.Helper()
		pools, pod := g.pools(), g.forget(g.pod())
		pod.RuntimeClass = nil // a label that its class also has would change nothing
		before := place(pod, pools...).Verdicts
		selector := g.selector()
		for key, value := range pod.NodeSelector {
			if selector == nil {
				selector = map[string]string{}
			}
			selector[key] = value
		}
		pod.NodeSelector = selector
		for i, after := range place(pod, pools...).Verdicts {
			if rank(after.Schedules) > rank(before[i].Schedules) {
				t.Errorf("%s: %s before, %s after\n%+v", after.Pool.Name, before[i].Schedules, after.Schedules, pod)
			}
		}
	})
}

// rank orders the answers from the worst to the best.
func rank(a platform.Answer) int {
	return slices.Index([]platform.Answer{no, unknown, yes}, a)
}

func TestTheOrderOfThePoolsDoesNotMatter(t *testing.T) {
	t.Parallel()
	forEachSeed(t, func(t *testing.T, g gen) {
		t.Helper()
		pools, pod := g.pools(), g.forget(g.pod())
		forwards := place(pod, pools...)
		nearest, ok := forwards.Nearest(pod.OS, "")
		slices.Reverse(pools)
		backwards := place(pod, pools...)
		nearestBackwards, okBackwards := backwards.Nearest(pod.OS, "")
		slices.Reverse(backwards.Verdicts)
		if diff := cmp.Diff(answers(forwards), answers(backwards)); diff != "" {
			t.Errorf("verdicts (-forwards +backwards):\n%s", diff)
		}
		if ok != okBackwards || ok && nearest.Pool.Name != nearestBackwards.Pool.Name {
			t.Errorf("nearest: %v forwards, %v backwards", nearest.Pool, nearestBackwards.Pool)
		}
	})
}

type answer struct {
	Pool            string
	Schedules, Runs platform.Answer
	Pending         bool
	Reasons         []placement.Reason
}

func answers(p placement.Placement) []answer {
	var all []answer
	for _, v := range p.Verdicts {
		all = append(all, answer{v.Pool.Name, v.Schedules, v.Runs, v.PendingPods, v.Reasons()})
	}
	return all
}

// Only a No has reasons, and each of them is complete.
func TestEveryRefusalHasItsReasons(t *testing.T) {
	t.Parallel()
	forEachSeed(t, func(t *testing.T, g gen) {
		t.Helper()
		pod := g.forget(g.pod())
		wantSound(t, place(pod, g.pools()...))
	})
}

func wantSound(t *testing.T, p placement.Placement) {
	t.Helper()
	for _, v := range p.Verdicts {
		reasons := v.Reasons()
		if (v.Answer() == no) != (len(reasons) > 0) {
			t.Errorf("%s: %s with %d reasons", v.Pool.Name, v.Answer(), len(reasons))
		}
		for _, r := range reasons {
			if r.Kind == "" || r.Text == "" || r.Fix == "" {
				t.Errorf("%s: incomplete reason %+v", v.Pool.Name, r)
			}
		}
		if v.PendingPods && v.Schedules != no {
			t.Errorf("%s: pending pods, but schedules %s", v.Pool.Name, v.Schedules)
		}
	}
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Place returns an answer for any pod.
func FuzzPlace(f *testing.F) {
	f.Add(uint64(1), "os", "windows", "In", "NoSchedule", "Standard_D4s_v5")
	f.Add(uint64(2), "kubernetes.io/os", "", "Gt", "", "")
	f.Add(uint64(3), "/", "\xff", "", "x", "Standard_E8-4s_v5")
	f.Fuzz(func(t *testing.T, seed uint64, key, value, operator, effect, size string) {
		g := newGen(seed)
		pools := append(g.pools(), topology.Pool{
			Name: key, Platform: pick(g, platform.Platform(value), platform.WindowsServer2025, platform.Linux),
			Size: size, Labels: set(key, value),
			Taints: []corev1.Taint{{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}},
		})
		pod := g.forget(g.pod())
		if pod.NodeSelector == nil {
			pod.NodeSelector = map[string]string{}
		}
		pod.NodeSelector[key] = effect
		pod.OS = platform.OS(pick(g, value, string(pod.OS)))
		pod.Tolerations = append(slices.Clone(pod.Tolerations), corev1.Toleration{
			Key: value, Value: key, Operator: corev1.TolerationOperator(operator), Effect: corev1.TaintEffect(effect),
		})
		requirement := expr(key, corev1.NodeSelectorOperator(operator), value, effect)
		pod.Required = requires(term(requirement),
			corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{requirement}})
		pod.Images = append(pod.Images, placement.Image{
			Reference: value, Image: platform.Image{OS: platform.OS(key), Release: platform.Platform(value)},
		})
		got := place(pod, pools...)
		wantSound(t, got)
		_ = got.String()
		got.Nearest("", "")
	})
}
