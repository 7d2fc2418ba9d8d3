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

// TestMachineFaults changes a stack of a cluster of machines while there are faults in Azure: see [faultyStack].
func TestMachineFaults(t *testing.T) {
	t.Parallel()
	machineFaults.test(t)
}

var machineFaults = faultyStack{
	creation: faultyChange{
		name: "create", to: func(w *desired) { w.exists = true },
		requests: slices.Concat(creations(1, "resourceGroups", "virtualNetworks", "natGateways", "routeTables"),
			creations(2, "subnets", "publicIPAddresses", "networkSecurityGroups", "loadBalancers"),
			creations(3, "virtualMachineScaleSets"), creations(3, machineKinds...)),
	},
	destruction: faultyChange{
		name: "destroy", to: func(w *desired) { w.exists = false },
		requests: slices.Concat(deletions(1, "resourceGroups", "virtualNetworks", "natGateways", "routeTables"),
			deletions(2, "subnets", "publicIPAddresses", "networkSecurityGroups", "loadBalancers"),
			deletions(3, "virtualMachineScaleSets"), deletions(3, deletedKinds...)),
	},
	changes: machineChanges,
	start:   newFaultyMachines,
}

// machineRequest is a request that Azure gets at least count times.
type machineRequest struct {
	method string
	// kind is the last part of the resource's type.
	kind    string
	count   int
	creates bool
}

type machineRequests []machineRequest

var (
	// machineKinds are the kinds of the resources of a machine in Azure.
	machineKinds = []string{"networkInterfaces", "routes", "virtualMachines", "extensions"}
	// deletedKinds are the kinds that must be deleted: Azure deletes an extension with its machine.
	deletedKinds = []string{"networkInterfaces", "routes", "virtualMachines"}
)

// creations returns the requests that create count resources of each kind. azure-native reads a resource before and
// after it creates it.
func creations(count int, kinds ...string) machineRequests {
	var all machineRequests
	for _, kind := range kinds {
		all = append(all, machineRequest{http.MethodPut, kind, count, true},
			machineRequest{http.MethodGet, kind, 2 * count, false})
	}
	return all
}

// updates returns the requests that change resources in place.
func updates(count int, kind string) machineRequests {
	return machineRequests{{http.MethodPut, kind, count, false}, {http.MethodGet, kind, count, false}}
}

// deletions returns the requests that delete count resources of each kind.
func deletions(count int, kinds ...string) machineRequests {
	var all machineRequests
	for _, kind := range kinds {
		all = append(all, machineRequest{http.MethodDelete, kind, count, false})
	}
	return all
}

// replacements returns the requests that replace count machines.
func replacements(count int) machineRequests {
	return slices.Concat(creations(count, machineKinds...), deletions(count, deletedKinds...))
}

func (all machineRequests) pick(random *rand.Rand, kind arm.FaultKind) (f arm.Fault, creates bool) {
	of := func(method string) (requests machineRequests, count int) {
		for _, r := range all {
			// Only PUT and DELETE can leave a resource in the state Failed. They cannot for a group, whose operations
			// Azure completes immediately.
			failed := kind == arm.FailedProvisioning && (method == http.MethodGet || r.kind == "resourceGroups")
			if r.method == method && !failed {
				requests, count = append(requests, r), count+r.count
			}
		}
		return requests, count
	}
	f.Method = pickMethod(random, func(method string) bool { _, count := of(method); return count > 0 })
	requests, count := of(f.Method)
	f.After = random.IntN(count)
	// Limit the fault to one kind of resource. The order of all requests is random, because Pulumi sends several at a
	// time, but the order of the requests for one kind does not matter.
	for _, r := range requests {
		if f.After < r.count {
			f.ID, creates = "/"+r.kind+ofKind, r.creates
			break
		}
		f.After -= r.count
	}
	return f, creates
}

// machineChanges are the changes of an existing cluster.
var machineChanges = []faultyChange{
	{
		name: "scale the Linux pool", to: func(w *desired) { w.pool("linux")["count"] = 2 },
		requests: creations(1, machineKinds...),
	},
	{
		name: "scale the Windows pool up", to: func(w *desired) { w.pool("win")["count"] = 2 },
		requests: creations(1, machineKinds...),
	},
	{
		name: "scale the Windows pool down", after: "scale the Windows pool up",
		to:       func(w *desired) { w.pool("win")["count"] = 1 },
		requests: deletions(1, deletedKinds...),
	},
	{
		name: "another size", to: func(w *desired) { w.pool("linux")["size"] = "Standard_D8s_v5" },
		requests: replacements(1),
	},
	{
		name: "Windows Server 2025", to: func(w *desired) { w.pool("win")["platform"] = "windows-2025" },
		requests: replacements(1),
	},
	{
		name: "label and taint", to: func(w *desired) {
			w.pool("win")["labels"] = map[string]any{"team": "blue"}
			w.pool("win")["taints"] = []string{"team=blue:NoSchedule"}
		},
		requests: replacements(1),
	},
	{
		name: "add a pool", to: func(w *desired) { w.pools = append(w.pools, machinePool("more", "windows-2022")) },
		requests: slices.Concat(creations(1, "virtualMachineScaleSets"), creations(1, machineKinds...)),
	},
	{
		name: "remove a pool", after: "add a pool", to: func(w *desired) {
			w.pools = slices.DeleteFunc(w.pools, func(p map[string]any) bool { return p["name"] == "more" })
		},
		requests: slices.Concat(deletions(1, "virtualMachineScaleSets"), deletions(1, deletedKinds...)),
	},
	{
		name: "another license", to: func(w *desired) { w.license = "Windows_Server" },
		requests: updates(1, "virtualMachines"),
	},
	{
		name: "a larger control plane", to: func(w *desired) { w.controlPlanes = 3 },
		requests: slices.Concat(creations(2, machineKinds...), updates(1, "networkSecurityGroups")),
	},
}

func machinePool(name, platform string) map[string]any {
	return map[string]any{"name": name, "platform": platform, "size": "Standard_D4s_v5", "count": 1}
}

func newFaultyMachines(t *testing.T) *faultyLab {
	t.Helper()
	l := newMachinesLab(t)
	// The log has one line for each run. If a run fails, it also has the output.
	l.Out.Redirect(io.Discard)
	l.config["mixedkube:workloads"] = []string{"linux-web"}
	now := &desired{
		controlPlanes: 1, password: "First-Password-1",
		pools: []map[string]any{machinePool("linux", "linux"), machinePool("win", "windows-2022")},
	}
	check(t, l.want(now))
	stack := l.start(t)
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, now.password))
	l.stack = stack
	return &faultyLab{testLab: l.testLab, cluster: l, stack: stack, now: now}
}
