package topology_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

// wantLinear checks that four times as much takes about four times the work, counted in allocations.
func wantLinear(t *testing.T, run func(n int) func()) {
	t.Helper()
	allocations := func(n int) float64 { return testing.AllocsPerRun(1, run(n)) }
	if few, many := allocations(100), allocations(400); many > 6*few {
		t.Errorf("100 take %.0f allocations, 400 take %.0f", few, many)
	}
}

func nodesThatDiffer(n int, os string, differ func(i int) func(*corev1.Node)) []corev1.Node {
	nodes := make([]corev1.Node, n)
	for i := range nodes {
		nodes[i] = machine(fmt.Sprintf("n%d", i), os, differ(i))
	}
	return nodes
}

func TestNodesAreNotComparedInPairs(t *testing.T) { //nolint:paralleltest // it counts allocations
	for name, differ := range map[string]func(i int) func(*corev1.Node){ //nolint:paralleltest // as above
		"labels": func(i int) func(*corev1.Node) { return label("l", strconv.Itoa(i)) },
		"taints": func(i int) func(*corev1.Node) { return taint(fmt.Sprintf("k%d:NoSchedule", i)) },
	} {
		t.Run(name, func(t *testing.T) {
			wantLinear(t, func(n int) func() {
				nodes := nodesThatDiffer(n, "linux", differ)
				return func() {
					if _, _, errs := topology.FromNodes(nodes, ""); len(errs) > 0 {
						t.Error(errs.ToAggregate())
					}
				}
			})
		})
	}
}

// The names of Linux pools, shortened for a number, are those of the Windows pools, too.
func TestNumbersOfPoolsAreTriedOnce(t *testing.T) { //nolint:paralleltest // it counts allocations
	long := strings.Repeat("a", 59)
	named := func(i int) func(*corev1.Node) { return label("agentpool", fmt.Sprintf("%s%04d", long, i)) }
	wantLinear(t, func(n int) func() {
		nodes := append(nodesThatDiffer(n, "linux", named), nodesThatDiffer(n, "windows", named)...)
		return func() {
			if _, _, errs := topology.FromNodes(nodes, ""); len(errs) > 0 {
				t.Error(errs.ToAggregate())
			}
		}
	})
}

func TestErrorsOfTaintsAreFoundAtOnce(t *testing.T) { //nolint:paralleltest // it counts allocations
	wantLinear(t, func(n int) func() {
		taints := make([]any, n)
		for i := range taints {
			taints[i] = map[string]any{"key": fmt.Sprintf("k%d", i), "effect": "NoSchedule"}
		}
		pool := map[string]any{"name": "linux", "platform": "linux", "taints": taints}
		return func() {
			if _, errs := topology.Decode(map[string]any{"pools": []any{pool}}, nil); len(errs) != n {
				t.Errorf("%d errors, want %d", len(errs), n)
			}
		}
	})
}
