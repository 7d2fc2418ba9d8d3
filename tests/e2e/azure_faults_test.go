package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/azure"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
)

var (
	faultRuns = flag.Int("fault-runs", 10, "how many runs to make with a fault of Azure")
	seed      = flag.Uint64("seed", 1, "makes other changes and faults")
	faultRun  = flag.Int("fault-run", -1, "make this run only, and those before it in its lab")
)

// TestAzureFaults changes a stack again and again while something goes wrong in Azure.
// `pulumi up` may fail then. The next one, without a fault, has to end with all that
// the configuration wants, and with nothing else, neither in Azure nor among the nodes.
func TestAzureFaults(t *testing.T) {
	// How long Azure's clients wait before they ask again.
	t.Setenv(armclient.RetryDelayVariable, "20ms")
	from, to := 0, *faultRuns
	if *faultRun >= 0 {
		from, to = *faultRun/perLab*perLab, *faultRun+1
	}
	counts := faultCounts{}
	for first := from; first < to; first += perLab {
		runs := plan(*seed, first)
		runs = runs[:min(len(runs), to-first)]
		t.Run(fmt.Sprintf("runs %d to %d", first, first+len(runs)-1), func(t *testing.T) {
			l := newFaultyLab(t)
			for i, r := range runs {
				l.run(t, first+i, r, counts)
			}
		})
	}
	counts.log(t)
	if to-from >= 10 && !t.Failed() {
		counts.wantAll(t)
	}
}

// azureChange is one that the program or its configuration makes.
type azureChange struct {
	name string
	to   func(*wanted)
	// requests are how many requests Azure gets for it at least.
	requests requestCounts
	// creates is how many of the PUTs create something, the last ones.
	creates int
	// group says that the first PUT, or the last DELETE, is that of the resource group.
	group bool
}

type requestCounts struct{ get, put, delete, post int }

func (r requestCounts) of(method string) int {
	return map[string]int{http.MethodGet: r.get, http.MethodPut: r.put, http.MethodDelete: r.delete, http.MethodPost: r.post}[method]
}

var (
	creation = azureChange{
		name: "create", to: func(w *wanted) { w.exists = true },
		requests: requestCounts{get: 7, put: 3, post: 1}, creates: 3, group: true,
	}
	destruction = azureChange{
		name: "destroy", to: func(w *wanted) { w.exists = false },
		requests: requestCounts{delete: 2}, group: true,
	}
)

// azureChanges are those of a cluster that is there.
var azureChanges = []azureChange{
	{
		name: "scale the first pool", to: func(w *wanted) { w.pool("sys")["count"] = 2 },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "scale the Windows pool", to: func(w *wanted) { w.pool("win")["count"] = 2 },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "label and taint", to: func(w *wanted) {
			w.pool("win")["labels"] = map[string]any{"team": "blue"}
			w.pool("win")["taints"] = []string{"team=blue:NoSchedule"}
		},
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "Windows Server 2025", to: func(w *wanted) {
			w.pool("win")["platform"], w.pool("win")["fips"] = "windows-2025", true
		},
		requests: requestCounts{get: 3, put: 1, delete: 1, post: 1}, creates: 1,
	},
	{
		// The cluster loses its inline pool, for one that is a resource.
		name: "replace the first pool", to: func(w *wanted) { w.pool("sys")["size"] = "Standard_D8s_v5" },
		requests: requestCounts{get: 4, put: 2, delete: 1, post: 1}, creates: 1,
	},
	{
		name: "remove a pool", to: func(w *wanted) {
			w.pools = slices.DeleteFunc(w.pools, func(p map[string]any) bool { return p["name"] == "apps" })
		},
		requests: requestCounts{get: 1, delete: 1, post: 1},
	},
	{
		name: "add a pool", to: func(w *wanted) { w.pools = append(w.pools, linuxPool("more", "User")) },
		requests: requestCounts{get: 3, put: 1, post: 1}, creates: 1,
	},
	{
		name: "upgrade", to: func(w *wanted) { w.version = "1.36" },
		requests: requestCounts{get: 4, put: 3, post: 1},
	},
	{
		name: "another password", to: func(w *wanted) { w.password = "Second-Password-2" },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "another licence", to: func(w *wanted) { w.licence = "Windows_Server" },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
}

// perLab is how many runs a lab makes. They stand on each other: what a cluster has
// been through matters.
var perLab = len(azureChanges) + 3

func linuxPool(name, mode string) map[string]any {
	return map[string]any{"name": name, "platform": "linux", "mode": mode, "size": "Standard_D4s_v5", "count": 1}
}

// begin is what the first run of a lab makes.
func begin() *wanted {
	return &wanted{
		version: "1.35", licence: "None", password: "First-Password-1",
		pools: []map[string]any{
			linuxPool("sys", "System"), linuxPool("apps", "User"),
			{"name": "win", "platform": "windows-2022", "size": "Standard_D4s_v5", "count": 1},
		},
	}
}

// faultyRun is a change, and what goes wrong meanwhile.
type faultyRun struct {
	change azureChange
	fault  azure.Fault
}

// plan are the runs of the lab whose first run has a number: the same ones for the
// same seed.
func plan(seed uint64, first int) []faultyRun {
	random := rand.New(rand.NewPCG(seed, uint64(first)))
	order := slices.Clone(azureChanges)
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	// In between, the stack is destroyed and created again.
	order = slices.Insert(order, random.IntN(8), destruction, creation)
	order = slices.Insert(order, 0, creation)
	runs := make([]faultyRun, len(order))
	var kinds []azure.FaultKind
	for i, c := range order {
		if len(kinds) == 0 {
			kinds = slices.Clone(faultKinds)
			random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		}
		runs[i] = faultyRun{c, drawFault(random, c, kinds[0])}
		kinds = kinds[1:]
	}
	return runs
}

var faultKinds = []azure.FaultKind{azure.Throttle, azure.Conflict, azure.Fail, azure.FailAfter, azure.FailedProvisioning, azure.Slow}

// attempts is how often Azure's clients ask in all where a refusal may pass.
const attempts = 4

// drawFault draws the request that something goes wrong with, and how often it does.
func drawFault(random *rand.Rand, c azureChange, kind azure.FaultKind) azure.Fault {
	f := azure.Fault{Kind: kind, Times: 1}
	seen := c.requests
	if kind == azure.FailedProvisioning {
		// Only what is put or deleted can be left behind as failed, and not a group, for
		// which Azure does all at once.
		f.ID = "/managedClusters/"
		seen.get, seen.post = 0, 0
		if c.group {
			seen.put, seen.delete = max(seen.put-1, 0), max(seen.delete-1, 0)
		}
	}
	// What changes something matters most.
	possible := []string{http.MethodPut, http.MethodPut, http.MethodDelete, http.MethodDelete, http.MethodGet, http.MethodPost}
	possible = slices.DeleteFunc(possible, func(method string) bool { return seen.of(method) == 0 })
	f.Method = possible[random.IntN(len(possible))]
	f.After = random.IntN(seen.of(f.Method))
	switch kind {
	case azure.Slow:
		f.Delay, f.Times = time.Second, 1+random.IntN(3)
	case azure.Throttle, azure.Fail, azure.FailAfter:
		// One that passes is hidden by the repetitions.
		if random.IntN(3) > 0 {
			f.Times = attempts
		}
	}
	// Where Azure makes something new and answers its PUT with an error all the same, as
	// often as it is repeated, azure-native does not learn that it is there. Each `pulumi
	// up` from then on says "cannot create already existing resource", until the user
	// removes it in Azure, or imports it: no program can do without.
	if f.Kind == azure.FailAfter && f.Method == http.MethodPut && f.After >= c.requests.put-c.creates {
		f.Times = min(f.Times, attempts-1)
	}
	return f
}

// mustFail says that there is no way around the fault: nobody asks again.
func (r faultyRun) mustFail() bool {
	changes := r.fault.Method == http.MethodPut || r.fault.Method == http.MethodDelete
	return changes && (r.fault.Kind == azure.Conflict || r.fault.Kind == azure.FailedProvisioning)
}

// says is a part of what Azure answers to a request that something goes wrong with.
var says = map[azure.FaultKind]string{
	azure.Throttle:           "TooManyRequests",
	azure.Conflict:           "another operation is in progress",
	azure.Fail:               "InternalServerError",
	azure.FailAfter:          "InternalServerError",
	azure.FailedProvisioning: "InternalOperationError",
}

// faultyLab is a lab in whose Azure things go wrong.
type faultyLab struct {
	azureLab
	stack *deploy.Stack
	// now is what the stack is to be.
	now *wanted
}

func newFaultyLab(t *testing.T) *faultyLab {
	t.Helper()
	l := newAzureLab(t)
	// A run is a line. What it prints is shown if it goes wrong.
	l.out.to = io.Discard
	now := begin()
	check(t, l.want(now))
	stack := l.start(t)
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, now.password))
	return &faultyLab{l, stack, now}
}

func (l *faultyLab) run(t *testing.T, number int, r faultyRun, counts faultCounts) {
	t.Helper()
	ctx, began := t.Context(), time.Now()
	before := l.now
	l.now = before.copied()
	r.change.to(l.now)
	check(t, l.want(l.now))
	if l.now.password != before.password {
		check(t, l.stack.SetSecret(ctx, stackconfig.KeyWindowsPassword, l.now.password))
	}
	l.out.take()

	check(t, l.setFault(r.fault))
	failed := l.deploy(ctx)
	struck, of, err := l.takeFault(r.fault)
	check(t, err)
	said := l.out.take()
	wrong := r.judge(struck, failed, said)
	if wrong == nil {
		wrong = l.again(ctx)
	}

	line := fmt.Sprintf("run %d: %s, %v (%d requests), struck %d times: ", number, r.change.name, r, of, struck)
	if wrong != nil {
		t.Fatalf("%s%v\nrepeat it with -seed %d -fault-run %d\n\nwith the fault:\n%s\nafter it:\n%s",
			line, wrong, *seed, number, said, l.out.take())
	}
	outcome := "ok"
	if failed != nil {
		outcome = says[r.fault.Kind]
	}
	t.Logf("%s%s, %s", line, outcome, time.Since(began).Round(100*time.Millisecond))
	counts.add(r, struck, failed)
}

// String is the fault.
func (r faultyRun) String() string {
	return fmt.Sprintf("%s at %s %d", r.fault.Kind, r.fault.Method, r.fault.After+1)
}

// deploy makes the stack what it is to be.
func (l *faultyLab) deploy(ctx context.Context) error {
	if l.now.exists {
		return l.stack.Up(ctx, "--skip-preview")
	}
	return l.stack.Destroy(ctx, "--skip-preview")
}

// judge is about the run with the fault: what goes wrong in Azure is told, and nothing
// else goes wrong.
func (r faultyRun) judge(struck int, failed error, said string) error {
	text := says[r.fault.Kind]
	switch {
	case strings.Contains(said, "panic:"):
		return errors.New("something panics")
	case failed != nil && (struck == 0 || text == ""):
		return fmt.Errorf("it fails, and not for the fault: %w", failed)
	case failed != nil && !strings.Contains(said, text):
		return fmt.Errorf("it fails, and does not say %q: %w", text, failed)
	case failed == nil && struck > 0 && r.mustFail():
		return fmt.Errorf("it does not fail, although Azure said %q", text)
	}
	return nil
}

// again deploys without a fault, and says in what the stack is not what it is to be.
func (l *faultyLab) again(ctx context.Context) error {
	if err := l.deploy(ctx); err != nil {
		return fmt.Errorf("the run after it: %w", err)
	}
	if err := l.problems(ctx, l.now); err != nil {
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

func (c faultCounts) log(t *testing.T) {
	t.Helper()
	names := []string{creation.name}
	for _, one := range azureChanges {
		names = append(names, one.name)
	}
	names = append(names, destruction.name, total)
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
		t.Errorf("of %d faults only %d struck: see whether the changes still make the requests that they say", all.runs, all.struck)
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
