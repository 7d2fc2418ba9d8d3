package placement

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/tests/internal/oracles"
)

// TestSchedulersOfAllVersionsAgree compares the answers with the scheduler's plugins of each version, which need no
// cluster.
func TestSchedulersOfAllVersionsAgree(t *testing.T) {
	t.Parallel()
	versions := oracles.Start(t, "-schedule")
	seen := map[string]int{}
	for index := 0; index*perTopology < *pairs && !t.Failed(); index++ {
		s := generate(*seed, index, perTopology)
		for i := range s.topology.Pools {
			p := &s.topology.Pools[i]
			p.Count, p.Empty = max(p.Count, 1), false
		}
		trials := s.trials(t)
		for _, o := range versions {
			for i, reasons := range schedule(t, o, s.topology, trials) {
				trials[i].compare(t, o.Minor, reasons, seen)
			}
		}
	}
	t.Logf("seed %d: %v", *seed, seen)
	for _, o := range versions {
		for _, what := range []string{"bound", reasonTaint, reasonLabel, reasonCPU, reasonMemory} {
			if got, least := seen[o.Minor+" "+what], *pairs/50; got < least {
				t.Errorf("Kubernetes %s: saw %q for %d nodes, want at least %d", o.Version, what, got, least)
			}
		}
	}
}

// trial is a pod with its judgement.
type trial struct {
	pair
	judgement
}

// trials returns the pods that the API server creates, without their volumes and without those of DaemonSets.
func (s *scenario) trials(t *testing.T) []trial {
	t.Helper()
	var all []trial
	for _, p := range s.pairs {
		p.disks, p.template.Spec.Volumes = nil, nil
		j, err := s.judge(p)
		check(t, err)
		if !j.refused && p.kind != "DaemonSet" {
			all = append(all, trial{p, j})
		}
	}
	return all
}

// schedule returns, for each pod and each node of the topology, the reasons of a version's scheduler against it.
func schedule(t *testing.T, o *oracles.Oracle, top topology.Defaulted, trials []trial) [][][]string {
	t.Helper()
	nodes := cluster.Nodes(top, o.Version)
	var questions [][]byte
	for _, one := range trials {
		line, err := json.Marshal(struct {
			Pod   *corev1.Pod    `json:"pod"`
			Nodes []*corev1.Node `json:"nodes"`
		}{one.admitted(), nodes})
		check(t, err)
		questions = append(questions, append(line, '\n'))
	}
	answers, err := oracles.Ask[struct {
		Reasons     [][]string
		DecodeError string
	}](o, questions)
	check(t, err)
	var all [][][]string
	for _, a := range answers {
		if a.DecodeError != "" || len(a.Reasons) != len(nodes) {
			t.Fatalf("Kubernetes %s: %d answers for %d nodes: %s", o.Version, len(a.Reasons), len(nodes), a.DecodeError)
		}
		all = append(all, a.Reasons)
	}
	return all
}

// compare compares the answer for each pool with the reasons against its nodes.
func (one trial) compare(t *testing.T, minor string, reasons [][]string, seen map[string]int) {
	t.Helper()
	for _, pool := range one.pools {
		o := outcomeOn(pool, reasons[:pool.Count])
		for _, all := range reasons[:pool.Count] {
			for _, reason := range all {
				seen[minor+" "+reason]++
			}
			if len(all) == 0 {
				seen[minor+" bound"]++
			}
		}
		reasons = reasons[pool.Count:]
		j := judgement{pools: []topology.Pool{pool}, claims: one.judgement.claims}
		if wrong := j.against(o); wrong != "" {
			t.Errorf("Kubernetes %s, seed %d, %s as a %s on pool %s: %s\n%s\npreflight's answer: %s", minor, *seed,
				one.name, one.kind, pool.Name, wrong, o, one.landing)
		}
	}
}

// outcomeOn returns the outcome for a pod that selects a pool, from the reasons against the pool's nodes.
func outcomeOn(pool topology.Pool, reasons [][]string) outcome {
	count := map[string]int{}
	for i, all := range reasons {
		if len(all) == 0 {
			return outcome{node: fmt.Sprintf("%s-%d", pool.Name, i)}
		}
		for _, reason := range all {
			count[reason]++
		}
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d %s", count[reason], reason))
	}
	return outcome{message: fmt.Sprintf("0/%d nodes are available: %s.", len(reasons), strings.Join(parts, ", "))}
}
