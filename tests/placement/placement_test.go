package placement

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

var (
	seed  = flag.Uint64("seed", 1, "the seed of the generated topologies and pods")
	pairs = flag.Int("pairs", 500, "how many pods to try, each with its topology")
	only  = flag.Int("only", -1, "try only this topology")
)

const (
	// perTopology is the number of pods that are tried on a topology.
	perTopology = 25
	// enough is the number of disagreements after which the run ends.
	enough = 5
)

func TestPlacementMatchesTheScheduler(t *testing.T) {
	r := &run{controlPlane: start(t), count: map[string]int{}}
	started := time.Now()
	for index := 0; index*perTopology < *pairs; index++ {
		if *only >= 0 && index != *only {
			continue
		}
		r.scenario = generate(*seed, index, min(perTopology, *pairs-index*perTopology))
		if errs := r.scenario.topology.Validate(nil); len(errs) > 0 {
			t.Fatalf("the generated topology is not valid: %v", errs.ToAggregate())
		}
		r.do(t)
		if r.disagreements >= enough {
			t.Fatalf("%d disagreements are enough", r.disagreements)
		}
		if index%4 == 3 {
			t.Logf("%d pairs after %s", r.count["pairs"], time.Since(started).Round(time.Second))
		}
	}
	t.Logf("seed %d: %d pairs in %s", *seed, r.count["pairs"], time.Since(started).Round(time.Second))
	for _, what := range slices.Sorted(maps.Keys(r.count)) {
		t.Logf("%6d %s", r.count[what], what)
	}
	if r.count["pairs"] >= 500 {
		r.wantAll(t)
	}
}

// run is one run over many scenarios.
type run struct {
	*controlPlane
	scenario *scenario
	// judgements has the judgements of the scenario's pairs and their copies, by name.
	judgements map[string]judgement

	mu sync.Mutex
	// count has the number of times that each event was seen.
	count         map[string]int
	disagreements int
}

func (r *run) saw(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count[what]++
}

func (r *run) do(t *testing.T) {
	t.Helper()
	r.judgements = map[string]judgement{}
	var trials, sets []pair
	for _, p := range r.scenario.pairs {
		r.saw("pairs")
		j := r.judge(t, p)
		if p.kind == "DaemonSet" {
			sets = append(sets, p)
			continue
		}
		trials = append(trials, p)
		trials = append(trials, r.copies(t, p, j, r.scenario.topology.Topology)...)
	}
	r.offer(t, r.scenario)
	r.provide(t, r.scenario)
	r.register(t, r.scenario.topology)
	r.try(t, trials)
	r.roll(t, sets)
	r.grow(t)
	r.withdraw(t, r.scenario)
}

// grow tries the pools that had no nodes.
func (r *run) grow(t *testing.T) {
	t.Helper()
	grown := topology.Topology{Pools: slices.Clone(r.scenario.topology.Pools)}.WithDefaults()
	var fresh topology.Topology
	for i := range grown.Pools {
		if p := &grown.Pools[i]; p.Count == 0 {
			p.Count, p.Empty = 1, false
			fresh.Pools = append(fresh.Pools, *p)
		}
	}
	if len(fresh.Pools) == 0 {
		return
	}
	r.register(t, grown)
	before := r.scenario.topology
	r.scenario.topology = grown
	defer func() { r.scenario.topology = before }()
	var trials []pair
	for _, p := range r.scenario.pairs {
		if p.kind == "DaemonSet" {
			continue
		}
		trials = append(trials, r.copies(t, p, r.judgements[p.name], fresh)...)
	}
	r.try(t, trials)
}

func (r *run) judge(t *testing.T, p pair) judgement {
	t.Helper()
	j, err := r.scenario.judge(p)
	if err != nil {
		r.disagree(t, p, j, err.Error())
	}
	r.judgements[p.name] = j
	return j
}

// copies returns copies of a pod that select one pool each, for all pools with nodes.
// The judgement of a copy must be the same as the original one for that pool.
func (r *run) copies(t *testing.T, p pair, j judgement, top topology.Topology) []pair {
	t.Helper()
	if j.refused {
		return nil
	}
	var copies []pair
	for _, pool := range top.Pools {
		if pool.Count == 0 {
			continue
		}
		one := p.only(pool)
		judged, original := r.judge(t, one), j.claims[pool.Name]
		for _, other := range r.scenario.topology.Pools {
			want := platform.No
			if other.Name == pool.Name {
				want = original.schedules
			}
			if got := judged.claims[other.Name].schedules; got != want {
				r.disagree(t, one, judged,
					fmt.Sprintf("the answer for pool %s is %s for a copy for %s, want %s as before", other.Name, got,
						pool.Name, want))
			}
		}
		r.saw("claim: " + original.schedules.String())
		if len(original.reasons) == 1 && original.schedules == platform.No {
			r.saw("claim: no, only because of " + string(original.reasons[0].Kind))
		}
		copies = append(copies, one)
	}
	return copies
}

// try tries pods. Pods that cannot take each other's room are tried together.
func (r *run) try(t *testing.T, trials []pair) {
	t.Helper()
	for _, wave := range r.waves(trials) {
		r.tryWave(t, wave)
	}
}

// waves returns a wave of the small pods, a wave of the large pods that fit nowhere, and
// waves of large pods that share no possible pool.
func (r *run) waves(trials []pair) [][]pair {
	var little, nowhere []pair
	var waves [][]pair
	var taken []map[string]bool
	for _, p := range trials {
		possible := r.judgements[p.name].possible()
		switch {
		case p.total().isSmall():
			little = append(little, p)
		case len(possible) == 0:
			nowhere = append(nowhere, p)
		default:
			i := slices.IndexFunc(taken, func(pools map[string]bool) bool {
				return !slices.ContainsFunc(possible, func(name string) bool { return pools[name] })
			})
			if i < 0 {
				i = len(waves)
				waves, taken = append(waves, nil), append(taken, map[string]bool{})
			}
			waves[i] = append(waves[i], p)
			for _, name := range possible {
				taken[i][name] = true
			}
		}
	}
	return append(waves, little, nowhere)
}

func (r *run) tryWave(t *testing.T, trials []pair) {
	t.Helper()
	if len(trials) == 0 {
		return
	}
	pods := make([]*corev1.Pod, len(trials))
	for i, p := range trials {
		pods[i] = &corev1.Pod{ObjectMeta: p.template.ObjectMeta, Spec: p.template.Spec}
		pods[i].Name = p.name
	}
	outcomes := r.controlPlane.try(t, pods, func(name string) bool { return r.judgements[name].fits() })
	for _, p := range trials {
		o, j := outcomes[p.name], r.judgements[p.name]
		if o.refused != nil {
			r.saw("pod: refused")
		} else {
			r.saw(p.size() + " pod: " + o.kind())
			if len(p.disks) > 0 {
				r.saw(p.claims() + ": " + o.kind())
			}
		}
		if wrong := j.against(o); wrong != "" {
			r.disagree(t, p, j, wrong+"\n"+o.String())
		}
	}
	r.clear(t)
}

func (p pair) size() string {
	if p.total().isSmall() {
		return "small"
	}
	return "large"
}

func (o outcome) kind() string {
	if o.node != "" {
		return "bound"
	}
	return "pending"
}

func (o outcome) String() string {
	switch {
	case o.refused != nil:
		return "the API server refused it: " + o.refused.Error()
	case o.node != "":
		return "the scheduler chose node " + o.node
	default:
		return "it stays pending: " + o.message
	}
}

// roll tries DaemonSets, the small ones together.
func (r *run) roll(t *testing.T, sets []pair) {
	t.Helper()
	slices.SortStableFunc(sets, func(a, b pair) int { return -strings.Compare(a.size(), b.size()) })
	for len(sets) > 0 {
		n := 1
		for n < len(sets) && sets[n].size() == "small" {
			n++
		}
		atOnce(sets[:n], func(p pair) { r.rollOne(t, p) })
		r.clear(t)
		sets = sets[n:]
	}
}

func (r *run) rollOne(t *testing.T, p pair) {
	t.Helper()
	j := r.judgements[p.name]
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: p.name}}
	set.Spec.Template = *p.template.DeepCopy()
	got, refused := r.controlPlane.roll(t, set, j.matches)
	var wrong string
	switch {
	case refused != nil && j.refused && isConflict(refused):
		r.saw("DaemonSet: refused")
		return
	case refused != nil:
		wrong = "the API server should create its pods\n" + refused.Error()
	case j.refused && len(got) > 0:
		wrong = "the API server should refuse its pods"
	default:
		wrong = j.againstRollout(got)
	}
	for _, pool := range j.pools {
		for i := range pool.Count {
			if o, made := got[fmt.Sprintf("%s-%d", pool.Name, i)]; made {
				r.saw("DaemonSet's pod: " + o.kind())
			} else {
				r.saw("DaemonSet's pod: none")
			}
		}
	}
	if wrong != "" {
		lines := []string{wrong}
		for _, node := range slices.Sorted(maps.Keys(got)) {
			lines = append(lines, node+": "+got[node].String())
		}
		r.disagree(t, p, j, strings.Join(lines, "\n"))
	}
}

func (r *run) disagree(t *testing.T, p pair, j judgement, wrong string) {
	t.Helper()
	r.mu.Lock()
	r.disagreements++
	r.mu.Unlock()
	t.Errorf("seed %d, topology %d, %s as a %s: %s\n%s", *seed, r.scenario.index, p.name, p.kind, wrong,
		r.describe(p, j))
}

func (r *run) describe(p pair, j judgement) string {
	var text strings.Builder
	fmt.Fprintf(&text, "preflight's answer: %s\n", j.landing)
	for _, pool := range j.pools {
		c := j.claims[pool.Name]
		fmt.Fprintf(&text, "%s: schedules %s, pending pods %t\n", pool.Name, c.schedules, c.pending)
		for _, reason := range c.reasons {
			fmt.Fprintf(&text, "  %s: %s\n", reason.Kind, reason.Text)
		}
	}
	fmt.Fprintf(&text, "the pod requests %d milli-CPUs and %d bytes with its overhead\n", p.total().cpu,
		p.total().memory)
	objects := []any{r.scenario.topology, p.typed(), p.class}
	for _, d := range p.disks {
		objects = append(objects, d.objects()...)
	}
	for _, v := range objects {
		if v == (*nodev1.RuntimeClass)(nil) {
			continue
		}
		out, err := yaml.Marshal(v)
		if err != nil {
			out = []byte(err.Error())
		}
		fmt.Fprintf(&text, "---\n%s", out)
	}
	return text.String()
}

// wantAll fails if an event was not seen often enough, as then too little was compared.
func (r *run) wantAll(t *testing.T) {
	t.Helper()
	for _, kind := range []placement.Kind{
		placement.KindSelector, placement.KindAffinity, placement.KindTaint, placement.KindResources,
		placement.KindBuild, placement.KindVolume,
	} {
		r.want(t, "claim: no, only because of "+string(kind), 3)
	}
	for _, answer := range []platform.Answer{platform.Yes, platform.No, platform.Unknown} {
		r.want(t, "claim: "+answer.String(), 50)
	}
	for _, what := range []string{
		"small pod: bound", "small pod: pending", "large pod: bound", "large pod: pending",
		"DaemonSet's pod: bound", "DaemonSet's pod: pending", "DaemonSet's pod: none",
		"pod with bound claims: bound", "pod with bound claims: pending",
		"pod with an open claim: bound", "pod with an open claim: pending",
	} {
		r.want(t, what, 5)
	}
	r.want(t, "pod: refused", 5)
}

func (r *run) want(t *testing.T, what string, least int) {
	t.Helper()
	if got := r.count[what]; got < least {
		t.Errorf("saw %q %d times, want at least %d", what, got, least)
	}
}
