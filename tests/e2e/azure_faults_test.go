package e2e

import (
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// TestAzureFaults changes a stack of a managed cluster while there are faults in Azure: see [faultyStack].
func TestAzureFaults(t *testing.T) {
	t.Parallel()
	azureFaults.test(t)
}

var azureFaults = faultyStack{
	creation: faultyChange{
		name: "create", to: func(w *desired) { w.exists = true },
		requests: requestCounts{get: 7, put: 3, post: 1, creates: 3, group: true},
	},
	destruction: faultyChange{
		name: "destroy", to: func(w *desired) { w.exists = false },
		requests: requestCounts{delete: 2, group: true},
	},
	changes: azureChanges,
	start:   newFaultyAzure,
	repeats: true,
}

// requestCounts are the minimum numbers of requests to Azure for a change.
type requestCounts struct {
	get, put, delete, post int
	// creates is the number of PUTs that create a resource. They are the last ones.
	creates int
	// group reports whether the first PUT, or the last DELETE, is for the resource group.
	group bool
}

func (r requestCounts) of(method string) int {
	return map[string]int{
		http.MethodGet: r.get, http.MethodPut: r.put, http.MethodDelete: r.delete,
		http.MethodPost: r.post,
	}[method]
}

func (r requestCounts) pick(random *rand.Rand, kind arm.FaultKind) (f arm.Fault, creates bool) {
	seen := r
	if kind == arm.FailedProvisioning {
		// Only PUT and DELETE can leave a resource in the state Failed. They cannot for a group, whose operations Azure
		// completes immediately.
		f.ID = "/managedClusters/"
		seen.get, seen.post = 0, 0
		if r.group {
			seen.put, seen.delete = max(seen.put-1, 0), max(seen.delete-1, 0)
		}
	}
	if kind == arm.FailAfter && r.group && r.creates > 0 {
		// azure-native retries the PUT of an existing cluster or pool, gets an error about another operation of the
		// cluster, and does not record the resource in the state: see [pickFault].
		f.ID = "/resourceGroups" + ofKind
		seen = requestCounts{put: 1}
	}
	f.Method = pickMethod(random, func(method string) bool { return seen.of(method) > 0 })
	f.After = random.IntN(seen.of(f.Method))
	return f, f.After >= r.put-r.creates
}

// azureChanges are the changes of an existing cluster.
var azureChanges = []faultyChange{
	{
		name: "scale the first pool", to: func(w *desired) { w.pool("sys")["count"] = 2 },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "scale the Windows pool", to: func(w *desired) { w.pool("win")["count"] = 2 },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "label and taint", to: func(w *desired) {
			w.pool("win")["labels"] = map[string]any{"team": "blue"}
			w.pool("win")["taints"] = []string{"team=blue:NoSchedule"}
		},
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "Windows Server 2025", to: func(w *desired) {
			w.pool("win")["platform"], w.pool("win")["fips"] = "windows-2025", true
		},
		requests: requestCounts{get: 3, put: 1, delete: 1, post: 1, creates: 1},
	},
	{
		// A pool that is a resource replaces the inline pool of the cluster.
		name: "replace the first pool", to: func(w *desired) { w.pool("sys")["size"] = "Standard_D8s_v5" },
		requests: requestCounts{get: 4, put: 2, delete: 1, post: 1, creates: 1},
	},
	{
		name: "remove a pool", to: func(w *desired) {
			w.pools = slices.DeleteFunc(w.pools, func(p map[string]any) bool { return p["name"] == "apps" })
		},
		requests: requestCounts{get: 1, delete: 1, post: 1},
	},
	{
		name: "add a pool", to: func(w *desired) { w.pools = append(w.pools, linuxPool("more", "User")) },
		requests: requestCounts{get: 3, put: 1, post: 1, creates: 1},
	},
	{
		name: "upgrade", to: func(w *desired) { w.version = "1.36" },
		requests: requestCounts{get: 4, put: 3, post: 1},
	},
	{
		name: "another password", to: func(w *desired) { w.password = "Second-Password-2" },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
	{
		name: "another license", to: func(w *desired) { w.license = "Windows_Server" },
		requests: requestCounts{get: 2, put: 1, post: 1},
	},
}

func linuxPool(name, mode string) map[string]any {
	return map[string]any{"name": name, "platform": "linux", "mode": mode, "size": "Standard_D4s_v5", "count": 1}
}

// begin returns the state that the first run of a lab creates.
func begin() *desired {
	return &desired{
		version: "1.35", license: "None", password: "First-Password-1",
		pools: []map[string]any{
			linuxPool("sys", "System"), linuxPool("apps", "User"),
			{"name": "win", "platform": "windows-2022", "size": "Standard_D4s_v5", "count": 1},
		},
	}
}

func newFaultyAzure(t *testing.T) *faultyLab {
	t.Helper()
	l := newAzureLab(t)
	// The log has one line for each run. If a run fails, it also has the output.
	l.Out.Redirect(io.Discard)
	now := begin()
	check(t, l.want(now))
	stack := l.start(t)
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, now.password))
	return &faultyLab{testLab: l.testLab, cluster: l, stack: stack, now: now}
}
