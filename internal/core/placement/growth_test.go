package placement_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// longName is so long that comparing it with another name allocates.
var longName = strings.Repeat("team-", 10)

// wantLinear checks that four times as many pools take about four times the work, counted in allocations.
func wantLinear(t *testing.T, run func(pools []topology.Pool) func()) {
	t.Helper()
	allocations := func(n int) float64 {
		pools := make([]topology.Pool, n)
		for i := range pools {
			pools[i] = win22(labels(longName+strconv.Itoa(i), "x"), func(p *topology.Pool) {
				p.Reported.Capacity = requests("4", "16Gi")
				p.Reserved = requests("1", "1Gi")
			})
		}
		return testing.AllocsPerRun(1, run(pools))
	}
	if few, many := allocations(100), allocations(400); many > 6*few {
		t.Errorf("100 pools take %.0f allocations, 400 take %.0f", few, many)
	}
}

func TestPoolsAreNotComparedInPairs(t *testing.T) { //nolint:paralleltest // it counts allocations
	wantLinear(t, func(pools []topology.Pool) func() {
		cluster := topology.Topology{Pools: pools}.WithDefaults()
		return func() { placement.NewNodes(cluster, platform.Strict) }
	})
}

// Each pool has a label of its own, and the pod selects another one.
func TestLabelsOfAllPoolsAreComparedWithAKeyOnce(t *testing.T) { //nolint:paralleltest // it counts allocations
	wantLinear(t, func(pools []topology.Pool) func() {
		return func() { place(placement.Pod{NodeSelector: set(longName+"x", "x")}, pools...) }
	})
}
