package differential

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/tests/internal/oracles"
)

var (
	seed = flag.Uint64("seed", 1, "seed of the random pods")
	// The flag is not -count, because `go test` has a flag with that name.
	pods = flag.Uint64("pods", 5000, "number of pods to generate")
)

// batchSize is so large that the cost of the pipes is negligible.
const batchSize = 500

func TestPreflightMatchesTheAPIServer(t *testing.T) {
	r := &run{seed: *seed, pods: *pods, seen: map[*oracle]map[rule]uint64{}}
	for _, o := range startOracles(t) {
		r.oracles = append(r.oracles, o)
		r.seen[o] = map[rule]uint64{}
	}
	started := time.Now()
	stop := r.progress(t, started)
	err := r.do()
	stop()
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(started)
	t.Logf("seed %d: %d pods for %d versions in %s, %.0f pods/s", r.seed, r.made.Load(), len(r.oracles),
		took.Round(time.Millisecond), float64(r.made.Load())/took.Seconds())
	r.reportDisagreements(t)
	r.reportCoverage(t)
}

// run is one run over many pods.
type run struct {
	seed, pods uint64
	oracles    []*oracle
	made       atomic.Uint64

	mu sync.Mutex
	// seen counts the verdicts of each oracle by rule.
	seen          map[*oracle]map[rule]uint64
	disagreements []disagreement
}

// disagreement is a pod for which the verdicts of the two sides differ.
type disagreement struct {
	index  uint64
	oracle *oracle
	difference
}

// enough is the number of disagreements after which the run ends.
const enough = 200

type batch struct {
	first   uint64
	objects []map[string]any
	lines   [][]byte
}

// do generates the pods in one goroutine and judges them in one goroutine for each version.
func (r *run) do() error {
	var all sync.WaitGroup
	queues := make([]chan batch, len(r.oracles))
	failed := make([]error, len(r.oracles))
	for i, o := range r.oracles {
		queues[i] = make(chan batch, 2)
		all.Go(func() {
			for b := range queues[i] {
				// After a failure, drain the queue, so that make does not block.
				if failed[i] == nil {
					failed[i] = r.judge(o, b)
				}
			}
		})
	}
	err := r.make(queues)
	for _, queue := range queues {
		close(queue)
	}
	all.Wait()
	return errors.Join(err, errors.Join(failed...))
}

func (r *run) make(queues []chan batch) error {
	for first := uint64(0); first < r.pods && !r.over(); first += batchSize {
		b := batch{first: first}
		for index := first; index < min(first+batchSize, r.pods); index++ {
			object := generate(r.seed, index)
			line, err := oracles.Question(object)
			if err != nil {
				return err
			}
			b.objects = append(b.objects, object)
			b.lines = append(b.lines, line)
		}
		for _, queue := range queues {
			queue <- b
		}
		r.made.Add(uint64(len(b.objects)))
	}
	return nil
}

func (r *run) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.disagreements) >= enough
}

func (r *run) judge(o *oracle, b batch) error {
	answers, err := o.ask(b.lines)
	if err != nil {
		return err
	}
	counts := map[rule]uint64{}
	var found []disagreement
	for i, a := range answers {
		if a.DecodeError != "" {
			return fmt.Errorf("seed %d, pod %d: Kubernetes %s cannot decode the generated object: %s\n%s",
				r.seed, b.first+uint64(i), o.Version, a.DecodeError, b.lines[i])
		}
		errs := compared(a.Errors)
		for _, v := range errs {
			counts[ruleOf(v)]++
		}
		if d := compare(errs, check(b.objects[i], o.Minor)); !d.empty() {
			found = append(found, disagreement{b.first + uint64(i), o, d})
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for rule, n := range counts {
		r.seen[o][rule] += n
	}
	r.disagreements = append(r.disagreements, found...)
	return nil
}

// progress logs the progress of the run at intervals.
func (r *run) progress(t *testing.T, started time.Time) (stop func()) {
	t.Helper()
	done := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		ticker := time.NewTicker(10 * time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				t.Logf("%d of %d pods after %s", r.made.Load(), r.pods, time.Since(started).Round(time.Second))
			}
		}
	})
	return func() { close(done); all.Wait() }
}

// reportDisagreements reports one disagreement of each kind, reduced to its smallest form.
func (r *run) reportDisagreements(t *testing.T) {
	t.Helper()
	slices.SortFunc(r.disagreements, func(a, b disagreement) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.oracle.Version, b.oracle.Version))
	})
	const most = 5
	var shown []difference
	for _, d := range r.disagreements {
		if len(shown) == most || slices.ContainsFunc(shown, d.partOf) {
			continue
		}
		shown = append(shown, d.difference)
		t.Error(r.describe(d))
	}
	if len(r.disagreements) > len(shown) {
		t.Errorf("%d disagreements in %d pods", len(r.disagreements), r.made.Load())
	}
}

func (r *run) describe(d disagreement) string {
	disagree := func(object map[string]any) (difference, error) {
		a, err := d.oracle.judge(object)
		if err != nil || a.DecodeError != "" {
			return difference{}, err
		}
		return compare(compared(a.Errors), check(object, d.oracle.Minor)), nil
	}
	small := shrink(generate(r.seed, d.index), func(object map[string]any) bool {
		smaller, err := disagree(object)
		// Ignore objects that are invalid only because of the removal.
		return err == nil && !smaller.empty() && smaller.partOf(d.difference)
	})
	text, err := json.MarshalIndent(small, "", "  ")
	if err != nil {
		return err.Error()
	}
	shown, err := disagree(small)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("seed %d, pod %d, Kubernetes %s, in its smallest form:\n%s%s", r.seed, d.index, d.oracle.Version,
		text, shown)
}

// reportCoverage fails for rules that no pod has broken, because they were not compared, and for verdicts of an oracle
// that are not in the rules: either a rule is missing, or the generator creates pods that break other rules.
func (r *run) reportCoverage(t *testing.T) {
	t.Helper()
	rules := allRules()
	for _, o := range r.oracles {
		for rule := range r.seen[o] {
			if !rules[rule] {
				t.Errorf("Kubernetes %s has a verdict that is not in the rules: %s", o.Version, rule)
			}
		}
		// A small number of pods does not have to break every rule.
		if r.made.Load() < 5000 {
			continue
		}
		for rule := range rules {
			if r.seen[o][rule] == 0 {
				t.Errorf("Kubernetes %s has not reported this rule in %d pods: %s", o.Version, r.made.Load(),
					rule)
			}
		}
	}
}
