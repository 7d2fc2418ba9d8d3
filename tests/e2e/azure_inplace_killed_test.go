package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// A resize of two nodes changes pods and nodes about 30 times.
const changesBetweenKills = 3

// testKilledUpdates kills `pulumi up` with SIGKILL at ten moments of a drain, and every second time also the simulated
// Azure. The next update ends what it has begun.
func (l inPlaceLab) testKilledUpdates(t *testing.T) {
	c := programChange{
		poolChange: changeOf("vmSize", "Standard_D4s_v5", "Standard_D8s_v5"), inPlace: true,
		budget: "{maxUnavailable: 1}", atLeast: 1,
	}
	const pool = "k"
	l.mustUp(t, c.settings(t, pool, c.budget, c.from))
	for _, moment := range sample.Of(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1) {
		t.Run(fmt.Sprintf("moment %d", moment), func(t *testing.T) {
			r := l.rollingPool(t, pool)
			r.before = r.machines(t)
			r.settles(t)
			r.knowsPods(t, "web")
			r.watch(t.Context(), t)
			r.expect(c.atLeast)
			before := r.changed()
			l.configure(t, append(c.settings(t, pool, c.budget, c.to), "soak: 1")...)
			ended := make(chan error, 1)
			go func() {
				_, _, err := l.up(t, "1s", "--skip-preview")
				ended <- err
			}()
			eventually(t, func(ctx context.Context) string {
				state, n := r.state(ctx), r.changed()-before
				if len(ended) > 0 {
					t.Fatalf("the update has ended with %d changes: %v", n, <-ended)
				}
				if state != "Updating" || n < moment*changesBetweenKills {
					return fmt.Sprintf("the pool is %s, with %d changes", state, n)
				}
				return ""
			})
			t.Logf("killed after %d changes", r.changed()-before)
			l.killPulumi(t, l.stack, ended)
			if moment%2 == 1 {
				check(t, processes.KillMarked(azurenodes.WorkerMark(l.AzureDir())))
			}
			if _, output, err := l.up(t, "1s", "--skip-preview"); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			if diff := cmp.Diff([]string{"new", "new"}, r.lines(t)); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
			r.checkNames(t, true)
			r.checkProperties(t, c.to)
			r.settles(t)
			r.checkBudget(t)
			l.checkNothingLeft(t)
		})
		c.from, c.to = c.to, c.from
	}
}
