package e2e

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestAPoolThatReturnsToItsSize changes the size of a pool in place, and stops at a budget. Another change of the pool
// needs a refresh then, which the log says. A program that returns to the former size gets it back. Each step depends on
// the previous ones.
func TestAPoolThatReturnsToItsSize(t *testing.T) {
	t.Parallel()
	l := startInPlace(t)
	const (
		small, large = "pool: {vmSize: Standard_D4s_v5}", "pool: {vmSize: Standard_D8s_v5}"
		named        = "nameInAzure: win22d"
		change       = "inPlace: true"
		linux        = "aks-sysvhv-62242410-vmss000000 v1.36.3 Standard_D4s_v5 CriticalAddonsOnly=true:NoSchedule\n"
		command      = "update command:local:Command shop-win22-size\n"
		budget       = "update kubernetes:policy/v1:PodDisruptionBudget web"
	)
	blocks, allows := "budget: {maxUnavailable: 0}", "budget: {maxUnavailable: 1}"
	l.configure(t, small, allows, named, change)
	l.checkUp(t, "…", linux+`
		akswin22d000000 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
		akswin22d000001 v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
	`)
	l.configure(t, large, blocks, named, change)
	_, output, err := l.up(t, "200ms")
	if err == nil {
		t.Fatal("the update succeeds although the budget allows no eviction")
	}
	contains(t, output, "run pulumi refresh before another change of the pool, which would send the old value again")

	t.Run("another change of the pool needs a refresh", func(t *testing.T) {
		l.configure(t, large, blocks, named, change, "soak: 1")
		_, output, err := l.up(t, "200ms")
		if err == nil {
			t.Error("the update succeeds although it sends the old size")
		}
		contains(
			t,
			output,
			"PropertyChangeNotAllowed",
			"update of shop-win22d: Azure has another vmSize than the state "+
				"of this stack: run pulumi refresh, and pulumi up again",
		)
	})
	t.Run("the pool returns to its size", func(t *testing.T) {
		l.configure(t, small, allows, named, change)
		operations, output, err := l.up(t, "20s")
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		labtest.SameLines(t, "operations", command+budget, operations)
		// Which of the nodes are new depends on when the drain stopped.
		var sizes []string
		for _, node := range labtest.NodeLines(t, l.client(t)) {
			_, size, _ := strings.Cut(node, " ")
			sizes = append(sizes, size)
		}
		labtest.SameLines(t, "nodes", `
			v1.36.3 Standard_D4s_v5 CriticalAddonsOnly=true:NoSchedule
			v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
			v1.36.3 Standard_D4s_v5 os=windows:NoSchedule
		`, sizes)
	})
	t.Run("nothing is left to do", func(t *testing.T) {
		r := newRunRecord(t, l.stack, l.records)
		if err := l.stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
			t.Errorf("%v\n%s", err, r.output(t))
		}
	})
}
