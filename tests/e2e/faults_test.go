package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

var (
	faultRuns = flag.Int("fault-runs", 10, "how many runs each test makes with a fault of Azure")
	seed      = flag.Uint64("seed", 1, "makes other changes and faults")
	faultRun  = flag.Int("fault-run", -1, "make this run only, and those before it in its lab")
)

// faultyStack is a stack that is changed again and again while something goes wrong in
// Azure. `pulumi up` may fail then. The next one, without a fault, has to end with all that
// the configuration wants, and with nothing else, neither in Azure nor among the nodes. No
// secret is in any file after all runs.
type faultyStack struct {
	creation, destruction faultyChange
	// changes are those of a stack that is there.
	changes []faultyChange
	start   func(*testing.T) *faultyLab
	// repeats says that the program has Pulumi repeat what Azure refuses because it is busy.
	repeats bool
}

// faultyChange is one that the program or its configuration makes.
type faultyChange struct {
	name string
	to   func(*wanted)
	// after is the name of a change that has to come before, if there is one.
	after    string
	requests requests
}

// requests are those that Azure gets for a change.
type requests interface {
	// draw is one of them, which a kind of fault can befall, and whether it makes
	// something new.
	draw(*rand.Rand, arm.FaultKind) (f arm.Fault, creates bool)
}

// test makes the runs that the flags say.
func (s faultyStack) test(t *testing.T) {
	t.Helper()
	from, to := 0, *faultRuns
	if *faultRun >= 0 {
		from, to = *faultRun/s.perLab()*s.perLab(), *faultRun+1
	}
	counts := faultCounts{}
	for first := from; first < to; first += s.perLab() {
		runs := s.plan(*seed, first)
		runs = runs[:min(len(runs), to-first)]
		t.Run(fmt.Sprintf("runs %d to %d", first, first+len(runs)-1), func(t *testing.T) {
			l := s.start(t)
			l.records = t.TempDir()
			for i, r := range runs {
				l.run(t, first+i, r, counts)
			}
			checkSecretsKept(t, l.testLab, l.records, l.cluster.keepers(), l.secrets)
		})
	}
	counts.log(t, s)
	if to-from >= 10 && !t.Failed() {
		counts.wantAll(t)
	}
}

// perLab is how many runs a lab makes. They stand on each other: what a cluster has
// been through matters.
func (s faultyStack) perLab() int { return len(s.changes) + 3 }

// faultyRun is a change, and what goes wrong meanwhile.
type faultyRun struct {
	change faultyChange
	fault  arm.Fault
	// repeats reports whether Pulumi retries what Azure refuses because it is busy. Without the
	// program, when it destroys a stack, it does not.
	repeats bool
}

// plan are the runs of the lab whose first run has a number: the same ones for the
// same seed.
func (s faultyStack) plan(seed uint64, first int) []faultyRun {
	random := rand.New(rand.NewPCG(seed, uint64(first)))
	order := slices.Clone(s.changes)
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for i, c := range order {
		j := slices.IndexFunc(order, func(other faultyChange) bool { return other.name == c.after })
		if j > i {
			order[i], order[j] = order[j], order[i]
		}
	}
	// In between, the stack is destroyed and created again.
	order = slices.Insert(order, random.IntN(8), s.destruction, s.creation)
	order = slices.Insert(order, 0, s.creation)
	runs := make([]faultyRun, len(order))
	var kinds []arm.FaultKind
	for i, c := range order {
		if len(kinds) == 0 {
			kinds = slices.Clone(faultKinds)
			random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		}
		repeats := s.repeats && c.name != s.destruction.name
		runs[i] = faultyRun{c, drawFault(random, c.requests, kinds[0]), repeats}
		kinds = kinds[1:]
	}
	return runs
}

var faultKinds = []arm.FaultKind{
	arm.Throttle, arm.Conflict, arm.Fail, arm.FailAfter,
	arm.FailedProvisioning, arm.Slow,
}

// attempts is how often Azure's clients ask in all where a refusal may pass.
const attempts = 4

// drawFault draws the request that something goes wrong with, and how often it does.
func drawFault(random *rand.Rand, among requests, kind arm.FaultKind) arm.Fault {
	f, creates := among.draw(random, kind)
	f.Kind, f.Times = kind, 1
	switch kind {
	case arm.Slow:
		f.Delay, f.Times = time.Second, 1+random.IntN(3)
	case arm.Throttle, arm.Fail, arm.FailAfter:
		// One that passes is hidden by the retries.
		if random.IntN(3) > 0 {
			f.Times = attempts
		}
	}
	// Where Azure makes something new and answers its PUT with an error all the same, as
	// often as it is repeated, azure-native does not learn that it is there. Each `pulumi
	// up` from then on says "cannot create already existing resource", until the user
	// removes it in Azure, or imports it: no program can do without.
	if f.Kind == arm.FailAfter && f.Method == http.MethodPut && creates {
		f.Times = min(f.Times, attempts-1)
	}
	return f
}

// drawMethod draws one of those that have requests. What changes something matters most.
func drawMethod(random *rand.Rand, has func(method string) bool) string {
	possible := []string{
		http.MethodPut, http.MethodPut, http.MethodDelete, http.MethodDelete, http.MethodGet,
		http.MethodPost,
	}
	possible = slices.DeleteFunc(possible, func(method string) bool { return !has(method) })
	return possible[random.IntN(len(possible))]
}

// mustFail says that there is no way around the fault: nobody asks again.
func (r faultyRun) mustFail() bool {
	changes := r.fault.Method == http.MethodPut || r.fault.Method == http.MethodDelete
	return changes && (r.fault.Kind == arm.Conflict && !r.repeats || r.fault.Kind == arm.FailedProvisioning)
}

// says is a part of what Azure answers to a request that something goes wrong with.
var says = map[arm.FaultKind]*regexp.Regexp{
	arm.Throttle:           regexp.MustCompile("TooManyRequests|Throttled"),
	arm.Conflict:           regexp.MustCompile("Another operation .* is in progress"),
	arm.Fail:               regexp.MustCompile("InternalServerError"),
	arm.FailAfter:          regexp.MustCompile("InternalServerError"),
	arm.FailedProvisioning: regexp.MustCompile("InternalOperationError"),
}

// faultyCluster is what the stack of a lab makes.
type faultyCluster interface {
	// want writes the stack's configuration.
	want(*wanted) error
	// problems say in what Azure and the nodes differ from what is wanted, nil for nothing.
	problems(*testing.T, *wanted) error
	// secrets are those of the stack as it is configured, and keepers the places that have
	// to have some.
	secrets(*testing.T, *wanted) []leaks.Secret
	keepers() []keeper
}

// faultyLab is a lab in whose Azure things go wrong.
type faultyLab struct {
	testLab
	cluster faultyCluster
	stack   *deploy.Stack
	// now is what the stack is to be.
	now *wanted
	// records is a folder with the events and the output of each run, and secrets are those
	// that the stack has had.
	records string
	secrets []leaks.Secret
}

func (l *faultyLab) run(t *testing.T, number int, r faultyRun, counts faultCounts) {
	t.Helper()
	ctx, began := t.Context(), time.Now()
	before := l.now
	l.now = before.copied()
	r.change.to(l.now)
	check(t, l.cluster.want(l.now))
	if l.now.password != before.password {
		check(t, l.stack.SetSecret(ctx, stackconfig.KeyWindowsPassword, l.now.password))
	}
	l.Out.Take()

	check(t, l.setFault(r.fault))
	record := filepath.Join(l.records, strconv.Itoa(number))
	failed := l.deploy(ctx, "--diff", "--event-log", record+".jsonl")
	struck, of, err := l.takeFault(r.fault)
	check(t, err)
	said := l.Out.Take()
	check(t, os.WriteFile(record+".output", []byte(said), 0o600))
	for _, s := range l.cluster.secrets(t, l.now) {
		if !slices.Contains(l.secrets, s) {
			l.secrets = append(l.secrets, s)
		}
	}
	l.Out.Take()
	wrong := r.judge(struck, failed, said)
	if wrong == nil {
		wrong = l.again(t)
	}

	line := fmt.Sprintf("run %d: %s, %v (%d requests), struck %d times: ", number, r.change.name, r, of, struck)
	if wrong != nil {
		t.Fatalf("%s%v\nrepeat it with -seed %d -fault-run %d\n\nwith the fault:\n%s\nafter it:\n%s",
			line, wrong, *seed, number, said, l.Out.Take())
	}
	outcome := "ok"
	if failed != nil {
		outcome = says[r.fault.Kind].String()
	}
	t.Logf("%s%s, %s", line, outcome, time.Since(began).Round(100*time.Millisecond))
	counts.add(r, struck, failed)
}

// ofKind ends the ID of a fault at the resources of one kind.
const ofKind = "/[^/]+$"

// String is the fault.
func (r faultyRun) String() string {
	text := fmt.Sprintf("%s at %s %d", r.fault.Kind, r.fault.Method, r.fault.After+1)
	if kind, ok := strings.CutSuffix(r.fault.ID, ofKind); ok {
		text += " of " + strings.TrimPrefix(kind, "/")
	}
	return text
}

// deploy makes the stack what it is to be.
func (l *faultyLab) deploy(ctx context.Context, arguments ...string) error {
	arguments = append(arguments, "--skip-preview")
	if l.now.exists {
		return l.stack.Up(ctx, arguments...)
	}
	return l.stack.Destroy(ctx, arguments...)
}

// judge is about the run with the fault: what goes wrong in Azure is told, and nothing
// else goes wrong.
func (r faultyRun) judge(struck int, failed error, said string) error {
	text := says[r.fault.Kind]
	switch {
	case strings.Contains(said, "panic:"):
		return errors.New("something panics")
	case failed != nil && (struck == 0 || text == nil):
		return fmt.Errorf("it fails, and not for the fault: %w", failed)
	case failed != nil && !text.MatchString(said):
		return fmt.Errorf("it fails, and does not say %q: %w", text, failed)
	case failed == nil && struck > 0 && r.mustFail():
		return fmt.Errorf("it does not fail, although Azure said %q", text)
	}
	return nil
}

// again deploys without a fault, and says in what the stack is not what it is to be.
func (l *faultyLab) again(t *testing.T) error {
	t.Helper()
	ctx := t.Context()
	if err := l.deploy(ctx); err != nil {
		return fmt.Errorf("the run after it: %w", err)
	}
	if err := l.cluster.problems(t, l.now); err != nil {
		return fmt.Errorf("after the run that follows: %w", err)
	}
	if !l.now.exists {
		return nil
	}
	if err := l.stack.Preview(ctx, "--expect-no-changes"); err != nil {
		return fmt.Errorf("after the run that follows something is left to do: %w", err)
	}
	return nil
}

// faultCounts are the runs by change and kind of fault.
type faultCounts map[[2]string]faultCount

// faultCount are how many runs there were, in how many the fault struck, and how many
// failed then.
type faultCount struct{ runs, struck, failed int }

const total = "total"

func (c faultCounts) add(r faultyRun, struck int, failed error) {
	for _, key := range [][2]string{
		{r.change.name, string(r.fault.Kind)}, {r.change.name, total}, {total, string(r.fault.Kind)}, {total, total},
	} {
		n := c[key]
		n.runs++
		if struck > 0 {
			n.struck++
		}
		if failed != nil {
			n.failed++
		}
		c[key] = n
	}
}

func (c faultCounts) log(t *testing.T, s faultyStack) {
	t.Helper()
	names := []string{s.creation.name}
	for _, one := range s.changes {
		names = append(names, one.name)
	}
	names = append(names, s.destruction.name, total)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	columns := []string{total}
	for _, kind := range slices.Backward(faultKinds) {
		columns = slices.Insert(columns, 0, string(kind))
	}
	fmt.Fprintf(w, "failed/struck/runs\t%s\n", strings.Join(columns, "\t"))
	for _, name := range names {
		fmt.Fprint(w, name)
		for _, column := range columns {
			n := c[[2]string{name, column}]
			fmt.Fprintf(w, "\t%d/%d/%d", n.failed, n.struck, n.runs)
		}
		fmt.Fprintln(w)
	}
	check(t, w.Flush())
	t.Logf("seed %d\n%s", *seed, table.String())
}

// wantAll fails if too little went wrong: nothing was shown then.
func (c faultCounts) wantAll(t *testing.T) {
	t.Helper()
	all := c[[2]string{total, total}]
	if all.struck*10 < all.runs*9 {
		t.Errorf("of %d faults only %d struck: see whether the changes still make the requests that they say", all.runs,
			all.struck)
	}
	if all.failed*4 < all.runs {
		t.Errorf("of %d runs only %d failed, which shows too little", all.runs, all.failed)
	}
	for _, kind := range faultKinds {
		if c[[2]string{total, string(kind)}].struck == 0 {
			t.Errorf("no fault of the kind %s struck", kind)
		}
	}
}
