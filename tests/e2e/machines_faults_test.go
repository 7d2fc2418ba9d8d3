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

// TestMachineFaults changes a stack of a cluster of machines while something goes wrong in
// Azure, as [faultyStack] says.
func TestMachineFaults(t *testing.T) {
	t.Parallel()
	machineFaults.test(t)
}

var machineFaults = faultyStack{
	creation: faultyChange{
		name: "create", to: func(w *wanted) { w.exists = true },
		requests: slices.Concat(made(1, "resourceGroups", "virtualNetworks", "natGateways", "routeTables"),
			made(2, "subnets", "publicIPAddresses", "networkSecurityGroups", "loadBalancers"),
			made(3, "virtualMachineScaleSets"), made(3, machineKinds...)),
	},
	destruction: faultyChange{
		name: "destroy", to: func(w *wanted) { w.exists = false },
		requests: slices.Concat(gone(1, "resourceGroups", "virtualNetworks", "natGateways", "routeTables"),
			gone(2, "subnets", "publicIPAddresses", "networkSecurityGroups", "loadBalancers"),
			gone(3, "virtualMachineScaleSets"), gone(3, deletedKinds...)),
	},
	changes: machineChanges,
	start:   newFaultyMachines,
}

// machineRequest is one that Azure gets a number of times at least.
type machineRequest struct {
	method string
	// kind is the last part of the resource's type.
	kind    string
	count   int
	creates bool
}

type machineRequests []machineRequest

var (
	// machineKinds are what a machine has in Azure.
	machineKinds = []string{"networkInterfaces", "routes", "virtualMachines", "extensions"}
	// deletedKinds are those that have to be deleted: an extension goes with its machine.
	deletedKinds = []string{"networkInterfaces", "routes", "virtualMachines"}
)

// made are the requests that make a number of resources of each kind. azure-native looks
// before it creates something, and after that.
func made(count int, kinds ...string) machineRequests {
	var all machineRequests
	for _, kind := range kinds {
		all = append(all, machineRequest{http.MethodPut, kind, count, true},
			machineRequest{http.MethodGet, kind, 2 * count, false})
	}
	return all
}

// changed are those that change resources in place.
func changed(count int, kind string) machineRequests {
	return machineRequests{{http.MethodPut, kind, count, false}, {http.MethodGet, kind, count, false}}
}

// gone are those that delete.
func gone(count int, kinds ...string) machineRequests {
	var all machineRequests
	for _, kind := range kinds {
		all = append(all, machineRequest{http.MethodDelete, kind, count, false})
	}
	return all
}

// replaced are those of machines that others come for.
func replaced(count int) machineRequests {
	return slices.Concat(made(count, machineKinds...), gone(count, deletedKinds...))
}

func (all machineRequests) draw(random *rand.Rand, kind arm.FaultKind) (f arm.Fault, creates bool) {
	of := func(method string) (requests machineRequests, count int) {
		for _, r := range all {
			// Only what is put or deleted can be left behind as failed, and not a group, for
			// which Azure does all at once.
			failed := kind == arm.FailedProvisioning && (method == http.MethodGet || r.kind == "resourceGroups")
			if r.method == method && !failed {
				requests, count = append(requests, r), count+r.count
			}
		}
		return requests, count
	}
	f.Method = drawMethod(random, func(method string) bool { _, count := of(method); return count > 0 })
	requests, count := of(f.Method)
	f.After = random.IntN(count)
	// Which of all requests is the nth is chance, as Pulumi makes several at a time: of
	// those at one kind of resource it does not matter.
	for _, r := range requests {
		if f.After < r.count {
			f.ID, creates = "/"+r.kind+ofKind, r.creates
			break
		}
		f.After -= r.count
	}
	return f, creates
}

// machineChanges are those of a cluster that is there.
var machineChanges = []faultyChange{
	{
		name: "scale the Linux pool", to: func(w *wanted) { w.pool("linux")["count"] = 2 },
		requests: made(1, machineKinds...),
	},
	{
		name: "scale the Windows pool up", to: func(w *wanted) { w.pool("win")["count"] = 2 },
		requests: made(1, machineKinds...),
	},
	{
		name: "scale the Windows pool down", after: "scale the Windows pool up",
		to:       func(w *wanted) { w.pool("win")["count"] = 1 },
		requests: gone(1, deletedKinds...),
	},
	{
		name: "another size", to: func(w *wanted) { w.pool("linux")["size"] = "Standard_D8s_v5" },
		requests: replaced(1),
	},
	{
		name: "Windows Server 2025", to: func(w *wanted) { w.pool("win")["platform"] = "windows-2025" },
		requests: replaced(1),
	},
	{
		name: "label and taint", to: func(w *wanted) {
			w.pool("win")["labels"] = map[string]any{"team": "blue"}
			w.pool("win")["taints"] = []string{"team=blue:NoSchedule"}
		},
		requests: replaced(1),
	},
	{
		name: "add a pool", to: func(w *wanted) { w.pools = append(w.pools, machinePool("more", "windows-2022")) },
		requests: slices.Concat(made(1, "virtualMachineScaleSets"), made(1, machineKinds...)),
	},
	{
		name: "remove a pool", after: "add a pool", to: func(w *wanted) {
			w.pools = slices.DeleteFunc(w.pools, func(p map[string]any) bool { return p["name"] == "more" })
		},
		requests: slices.Concat(gone(1, "virtualMachineScaleSets"), gone(1, deletedKinds...)),
	},
	{
		name: "another licence", to: func(w *wanted) { w.licence = "Windows_Server" },
		requests: changed(1, "virtualMachines"),
	},
	{
		name: "a larger control plane", to: func(w *wanted) { w.controlPlanes = 3 },
		requests: slices.Concat(made(2, machineKinds...), changed(1, "networkSecurityGroups")),
	},
}

func machinePool(name, platform string) map[string]any {
	return map[string]any{"name": name, "platform": platform, "size": "Standard_D4s_v5", "count": 1}
}

func newFaultyMachines(t *testing.T) *faultyLab {
	t.Helper()
	l := newMachinesLab(t)
	// A run is a line. What it prints is shown if it goes wrong.
	l.Out.Redirect(io.Discard)
	l.config["mixedkube:workloads"] = []string{"linux-web"}
	now := &wanted{
		controlPlanes: 1, password: "First-Password-1",
		pools: []map[string]any{machinePool("linux", "linux"), machinePool("win", "windows-2022")},
	}
	check(t, l.want(now))
	stack := l.start(t)
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, now.password))
	l.stack = stack
	return &faultyLab{testLab: l.testLab, cluster: l, stack: stack, now: now}
}
