package e2e

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// outcome is what the documentation says about a change of a pool.
type outcome struct {
	// Sentence is from the documentation, and Source is where.
	Sentence, Source string
	// Cluster and Pool are properties before the change, and Replicas the pods of the Deployment, 2 by default.
	Cluster, Pool arm.Body
	Replicas      int
	// Budget is empty, or it allows the eviction of one pod, or it blocks each. Anywhere lets pods run on other pools.
	Budget   string
	Anywhere bool
	// Change are the changed properties, or Delete deletes the pool, and Ignore ignores budgets.
	Change         arm.Body
	Delete, Ignore bool
	// Code is the code of Azure's answer, empty if it succeeds, and Message is a part of its text.
	Code, Message string
	// State is the provisioning state after that, Succeeded by default.
	State string
	// Most is the largest number of nodes meanwhile, and Nodes are the nodes after that.
	Most  int
	Nodes []string
	// Resumed are the nodes after the budget was removed and another change was sent.
	Resumed []string
	// Renamed is true if the nodes at the end have other names.
	Renamed bool
}

var rollingChanges = flag.Int("rolling-changes", 10, "number of random changes of pools in TestDrainsOfAzure")

// distinctChanges is the number of random changes until the first is made again, with the next kind of budget.
const distinctChanges = 100

// killedAt is the number of the first pool whose drain is killed, more than there are others.
const killedAt = 9000

// TestDrainsOfAzure compares the simulated Azure with the documentation, on real budgets. It also makes random changes
// of pools, and kills drains, all in one lab.
func TestDrainsOfAzure(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab"})
	cloud, client := rollingCloud(t, l), l.ClientOf(t)
	outcomes := casetest.Cases[outcome](t, "testdata/rolling")
	names := sample.Of(t, slices.Sorted(maps.Keys(outcomes)), 8)
	t.Run("all", func(t *testing.T) {
		for number, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := outcomes[name]
				if c.Sentence == "" || c.Source == "" {
					t.Error("the outcome has no source")
				}
				r := startRolling(t, cloud, client, c, number)
				r.check(t, c)
				r.finish(t, c)
			})
		}
		t.Run("killed", func(t *testing.T) {
			t.Parallel()
			testKilledDrains(t, l, cloud, client)
		})
		seed := sample.Random(t, *rollingChanges)
		for i := range *rollingChanges {
			t.Run(fmt.Sprintf("change %d", i), func(t *testing.T) {
				t.Parallel()
				number, round := i%distinctChanges, i/distinctChanges
				forth, back := randomChange(rand.New(rand.NewPCG(seed, uint64(number))), number+round)
				t.Logf("%v, and back: %v, budget: %q", forth.Change, back.Change, forth.Budget)
				r := startRolling(t, cloud, client, forth, len(names)+i)
				r.check(t, forth)
				if back.Change != nil {
					r.before = r.machines(t)
					r.check(t, back)
				}
				r.finish(t, forth)
			})
		}
	})
}

// resume is a change that only resumes a stopped upgrade.
var resume = outcome{Change: arm.Body{"upgradeSettings": arm.Body{"drainTimeoutInMinutes": longestDrain}}}

// check sends a change, and compares the result.
func (r *rolling) check(t *testing.T, c outcome) {
	t.Helper()
	err := r.send(t.Context(), c)
	answer, _ := errors.AsType[*arm.Error](err)
	if answer == nil {
		check(t, err)
		answer = &arm.Error{}
	}
	if answer.Code != c.Code || !strings.Contains(answer.Message, c.Message) {
		t.Errorf("the answer is %v, want %s with %q", err, c.Code, c.Message)
	}
	if state := r.state(t.Context()); state != cmp.Or(c.State, "Succeeded") {
		t.Errorf("the state is %s, want %s", state, cmp.Or(c.State, "Succeeded"))
	}
	if diff := gocmp.Diff(c.Nodes, r.lines(t)); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if c.Resumed != nil {
		r.checkBudget(t)
		check(
			t,
			r.client.PolicyV1().PodDisruptionBudgets(r.namespace).Delete(t.Context(), "app", metav1.DeleteOptions{}),
		)
		r.atLeast = 0
		check(t, r.send(t.Context(), resume))
		if diff := gocmp.Diff(c.Resumed, r.lines(t)); diff != "" {
			t.Errorf("nodes afterwards (-want +got):\n%s", diff)
		}
	}
	r.checkNames(t, c.Renamed)
	if !c.Ignore {
		r.settles(t)
		r.checkBudget(t)
	}
}

// checkBudget checks that there were never fewer ready pods than the budget requires.
func (r *rolling) checkBudget(t *testing.T) {
	t.Helper()
	time.Sleep(100 * time.Millisecond) // the last events
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.fewest < r.atLeast {
		t.Errorf("there were only %d ready pods, want %d", r.fewest, r.atLeast)
	}
}

// finish deletes the cluster, so that its nodes leave the lab.
func (r *rolling) finish(t *testing.T, c outcome) {
	t.Helper()
	time.Sleep(100 * time.Millisecond) // the last events
	r.stop()
	check(t, errors.Join(
		r.client.CoreV1().Namespaces().Delete(t.Context(), r.namespace, metav1.DeleteOptions{}),
		r.cloud.Delete(t.Context(), r.id),
	))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.most != c.Most && c.Most != 0 {
		t.Errorf("there were up to %d nodes, want %d", r.most, c.Most)
	}
}

// checkNames checks that nodes keep their names, unless they are other machines.
func (r *rolling) checkNames(t *testing.T, renamed bool) {
	t.Helper()
	for _, node := range r.nodes(t) {
		_, existed := r.before[node.Name]
		if renamed && existed {
			t.Errorf("node %s has the name of an old one", node.Name)
		}
	}
	if names := r.machines(t); !renamed {
		for name := range names {
			if _, existed := r.before[name]; !existed && len(names) <= len(r.before) {
				t.Errorf("node %s has a new name", name)
			}
		}
	}
}
