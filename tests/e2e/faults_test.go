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
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

var (
	faultRuns = flag.Int("fault-runs", 5, "number of runs with a fault of Azure in each test")
	faultRun  = flag.Int("fault-run", -1, "only do this run, and the runs before it in its lab")
)

// faultyStack is a stack that is changed repeatedly while there are faults in Azure. `pulumi up` may fail then. The
// next `pulumi up`, without a fault, must reach exactly the desired state, in Azure and for the nodes. After all runs,
// no file may have a secret.
type faultyStack struct {
	creation, destruction faultyChange
	// changes are the changes of an existing stack.
	changes []faultyChange
	start   func(*testing.T) *faultyLab
	// repeats reports whether the program makes Pulumi retry requests that Azure refuses because it is busy.
	repeats bool
}

// faultyChange is a change of the program or its configuration.
type faultyChange struct {
	name string
	to   func(*desired)
	// after is the name of a change that must come before, or empty if there is none.
	after    string
	requests requests
}

// requests are the requests to Azure for a change.
type requests interface {
	// pick returns a random request that a kind of fault can affect, and whether the request creates a resource.
	pick(*rand.Rand, arm.FaultKind) (f arm.Fault, creates bool)
}

// test does the runs that the flags select.
func (s faultyStack) test(t *testing.T) {
	t.Helper()
	from, to := 0, *faultRuns
	if *faultRun >= 0 {
		from, to = *faultRun/s.perLab()*s.perLab(), *faultRun+1
	}
	counts, seed := faultCounts{}, sample.Random(t, to-from)
	for first := from; first < to; first += s.perLab() {
		runs := s.plan(seed, first)
		runs = runs[:min(len(runs), to-first)]
		t.Run(fmt.Sprintf("runs %d to %d", first, first+len(runs)-1), func(t *testing.T) {
			l := s.start(t)
			l.seed, l.records = seed, t.TempDir()
			for i, r := range runs {
				l.run(t, first+i, r, counts)
			}
			checkNoLeaks(t, l.testLab, l.records, l.cluster.exemptions(), l.secrets)
		})
	}
	counts.log(t, s)
	if to-from >= 10 && !t.Failed() {
		counts.wantAll(t)
	}
}

// perLab returns the number of runs in a lab. Each run depends on the previous ones, because the history of a cluster
// matters.
func (s faultyStack) perLab() int { return len(s.changes) + 3 }

// faultyRun is a change with the fault during the change.
type faultyRun struct {
	change faultyChange
	fault  arm.Fault
	// repeats reports whether Pulumi retries requests that Azure refuses because it is busy. It does not when it
	// destroys a stack, because it does not run the program.
	repeats bool
}

// plan returns the runs of the lab whose first run has the number first. They are the same for the same seed.
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
		runs[i] = faultyRun{c, pickFault(random, c.requests, kinds[0]), repeats}
		kinds = kinds[1:]
	}
	return runs
}

var faultKinds = []arm.FaultKind{
	arm.Throttle, arm.Conflict, arm.Fail, arm.FailAfter,
	arm.FailedProvisioning, arm.Slow,
}

// attempts is the total number of attempts of Azure's clients if an error can be temporary.
const attempts = 4

// pickFault picks the request with the fault, and how often the fault occurs.
func pickFault(random *rand.Rand, among requests, kind arm.FaultKind) arm.Fault {
	f, creates := among.pick(random, kind)
	f.Kind, f.Times = kind, 1
	switch kind {
	case arm.Slow:
		f.Delay, f.Times = time.Second, 1+random.IntN(3)
	case arm.Throttle, arm.Fail, arm.FailAfter:
		// Retries hide a temporary fault.
		if random.IntN(3) > 0 {
			f.Times = attempts
		}
	}
	// If Azure creates a resource but each attempt of the PUT returns an error, azure-native does not record the
	// resource in the state. Each later `pulumi up` fails with "cannot create already existing resource" until the user
	// deletes the resource in Azure or imports it. A program cannot prevent this.
	if f.Kind == arm.FailAfter && f.Method == http.MethodPut && creates {
		f.Times = min(f.Times, attempts-1)
	}
	return f
}

// pickMethod picks a method that has requests. Methods that change resources are more likely.
func pickMethod(random *rand.Rand, has func(method string) bool) string {
	possible := []string{
		http.MethodPut, http.MethodPut, http.MethodDelete, http.MethodDelete, http.MethodGet,
		http.MethodPost,
	}
	possible = slices.DeleteFunc(possible, func(method string) bool { return !has(method) })
	return possible[random.IntN(len(possible))]
}

// mustFail reports whether the run must fail, because no program retries the request.
func (r faultyRun) mustFail() bool {
	changes := r.fault.Method == http.MethodPut || r.fault.Method == http.MethodDelete
	return changes && (r.fault.Kind == arm.Conflict && !r.repeats || r.fault.Kind == arm.FailedProvisioning)
}

// faultMessages match a part of Azure's error for each kind of fault.
var faultMessages = map[arm.FaultKind]*regexp.Regexp{
	arm.Throttle:           regexp.MustCompile("TooManyRequests|Throttled"),
	arm.Conflict:           regexp.MustCompile("Another operation .* is in progress"),
	arm.Fail:               regexp.MustCompile("InternalServerError"),
	arm.FailAfter:          regexp.MustCompile("InternalServerError"),
	arm.FailedProvisioning: regexp.MustCompile("InternalOperationError"),
}

// faultyCluster is the cluster of a lab's stack.
type faultyCluster interface {
	// want writes the stack's configuration.
	want(*desired) error
	// problems returns the differences of Azure and the nodes from the desired state, or nil if there are none.
	problems(*testing.T, *desired) error
	// secrets returns the secrets of the configured stack, and exemptions the paths that need secrets.
	secrets(*testing.T, *desired) []leaks.Secret
	exemptions() []exemption
}

// faultyLab is a lab with faults in its Azure.
type faultyLab struct {
	testLab
	cluster faultyCluster
	stack   *deploy.Stack
	// now is the desired state of the stack.
	now  *desired
	seed uint64
	// records is a directory with the events and the output of each run. secrets are all secrets that the stack has
	// had.
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
	occurred, of, err := l.takeFault(r.fault)
	check(t, err)
	output := l.Out.Take()
	check(t, os.WriteFile(record+".output", []byte(output), 0o600))
	for _, s := range l.cluster.secrets(t, l.now) {
		if !slices.Contains(l.secrets, s) {
			l.secrets = append(l.secrets, s)
		}
	}
	l.Out.Take()
	wrong := r.judge(occurred, failed, output)
	if wrong == nil {
		wrong = l.again(t)
	}

	line := fmt.Sprintf("run %d: %s, %v (%d requests), occurred %d times: ", number, r.change.name, r, of, occurred)
	if wrong != nil {
		t.Fatalf("%s%v\nreproduce it with -seed %d -fault-run %d\n\nwith the fault:\n%s\nafter it:\n%s",
			line, wrong, l.seed, number, output, l.Out.Take())
	}
	outcome := "ok"
	if failed != nil {
		outcome = faultMessages[r.fault.Kind].String()
	}
	t.Logf("%s%s, %s", line, outcome, time.Since(began).Round(100*time.Millisecond))
	counts.add(r, occurred, failed)
}

// ofKind is the end of the ID of a fault for all resources of a kind.
const ofKind = "/[^/]+$"

// String describes the fault.
func (r faultyRun) String() string {
	text := fmt.Sprintf("%s at %s %d", r.fault.Kind, r.fault.Method, r.fault.After+1)
	if kind, ok := strings.CutSuffix(r.fault.ID, ofKind); ok {
		text += " of " + strings.TrimPrefix(kind, "/")
	}
	return text
}

// deploy deploys the desired state of the stack, or destroys the stack.
func (l *faultyLab) deploy(ctx context.Context, arguments ...string) error {
	arguments = append(arguments, "--skip-preview")
	if l.now.exists {
		return l.stack.Up(ctx, arguments...)
	}
	return l.stack.Destroy(ctx, arguments...)
}

// judge checks the run with the fault: it must report the error of Azure, and no other error.
func (r faultyRun) judge(occurred int, failed error, output string) error {
	text := faultMessages[r.fault.Kind]
	switch {
	case strings.Contains(output, "panic:"):
		return errors.New("the output has a panic")
	case failed != nil && (occurred == 0 || text == nil):
		return fmt.Errorf("the run fails, but not because of the fault: %w", failed)
	case failed != nil && !text.MatchString(output):
		return fmt.Errorf("the run fails, but its output does not match %q: %w", text, failed)
	case failed == nil && occurred > 0 && r.mustFail():
		return fmt.Errorf("the run does not fail, although Azure has returned %q", text)
	}
	return nil
}

// again deploys without a fault, and returns the differences of the stack from the desired state.
func (l *faultyLab) again(t *testing.T) error {
	t.Helper()
	ctx := t.Context()
	if err := l.deploy(ctx); err != nil {
		return fmt.Errorf("the next run: %w", err)
	}
	if err := l.cluster.problems(t, l.now); err != nil {
		return fmt.Errorf("after the next run: %w", err)
	}
	if !l.now.exists {
		return nil
	}
	if err := l.stack.Preview(ctx, "--expect-no-changes"); err != nil {
		return fmt.Errorf("after the next run there are changes left: %w", err)
	}
	return nil
}

// faultCounts are the counts by change and kind of fault.
type faultCounts map[[2]string]faultCount

// faultCount is the number of runs, of runs in which the fault occurred, and of failed runs.
type faultCount struct{ runs, occurred, failed int }

const total = "total"

func (c faultCounts) add(r faultyRun, occurred int, failed error) {
	for _, key := range [][2]string{
		{r.change.name, string(r.fault.Kind)}, {r.change.name, total}, {total, string(r.fault.Kind)}, {total, total},
	} {
		n := c[key]
		n.runs++
		if occurred > 0 {
			n.occurred++
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
	fmt.Fprintf(w, "failed/occurred/runs\t%s\n", strings.Join(columns, "\t"))
	for _, name := range names {
		fmt.Fprint(w, name)
		for _, column := range columns {
			n := c[[2]string{name, column}]
			fmt.Fprintf(w, "\t%d/%d/%d", n.failed, n.occurred, n.runs)
		}
		fmt.Fprintln(w)
	}
	check(t, w.Flush())
	t.Logf("faults:\n%s", table.String())
}

// wantAll fails if there were not enough faults, because the test checks too little then.
func (c faultCounts) wantAll(t *testing.T) {
	t.Helper()
	all := c[[2]string{total, total}]
	if all.occurred*10 < all.runs*9 {
		t.Errorf("only %d of %d faults occurred: check whether the changes still make their requests", all.occurred,
			all.runs)
	}
	if all.failed*4 < all.runs {
		t.Errorf("only %d of %d runs failed: the test checks too little", all.failed, all.runs)
	}
	for _, kind := range faultKinds {
		if c[[2]string{total, string(kind)}].occurred == 0 {
			t.Errorf("no fault of the kind %s occurred", kind)
		}
	}
}
