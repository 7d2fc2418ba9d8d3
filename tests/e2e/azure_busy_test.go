package e2e

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

var busyRuns = flag.Int("busy-runs", 3, "number of times that TestBusyAzure creates, changes and deletes its cluster")

// busyPools is the number of pools in the cluster of [TestBusyAzure].
const busyPools = 10

// TestBusyAzure creates, changes and deletes a cluster of many pools while AKS starts its own operations at random. No
// run may fail.
func TestBusyAzure(t *testing.T) {
	t.Parallel()
	l := newAzureLab(t)
	l.Out.Redirect(io.Discard)
	w := manyPools()
	check(t, l.want(w))
	stack := l.start(t)
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, w.password))
	retries, seed := 0, sample.Random(t, *busyRuns)
	checkDestroy(t, l, stack)
	for run := range *busyRuns {
		began, random := time.Now(), rand.New(rand.NewPCG(seed, uint64(run)))
		for _, step := range []struct {
			name string
			to   *desired
		}{
			{"creation", manyPools()}, {"change", shuffled(manyPools(), random)}, {"removal", &desired{}},
		} {
			check(t, arm.WriteFaults(l.AzureDir(), interference(random)))
			l.Out.Take()
			var err error
			if step.to.exists {
				check(t, l.want(step.to))
				err = stack.Up(t.Context(), "--skip-preview")
			} else {
				err = stack.Destroy(t.Context(), "--skip-preview")
			}
			output := l.Out.Take()
			if err == nil {
				err = l.checkAzure(t.Context(), step.to)
			}
			if err != nil {
				t.Fatalf("run %d, %s: %v\nreproduce it with -seed %d -busy-runs %d\n%s", run, step.name, err, seed,
					run+1, output)
			}
			retries += strings.Count(output, "Azure is busy (")
		}
		t.Logf("run %d: ok, %s", run, time.Since(began).Round(100*time.Millisecond))
	}
	check(t, arm.WriteFaults(l.AzureDir(), nil))
	t.Logf("%d runs, %d retries", *busyRuns, retries)
	if retries < *busyRuns*busyPools {
		t.Errorf("in %d runs only %d operations were retried: Azure was not busy", *busyRuns, retries)
	}
}

// checkDestroy destroys a cluster whose deletion Azure refuses at first. Without the program there are no retries, as
// documented in package aks.
func checkDestroy(t *testing.T, l azureLab, stack *deploy.Stack) {
	t.Helper()
	ctx := t.Context()
	check(t, stack.Up(ctx, "--skip-preview"))
	refused := []arm.Fault{{Kind: arm.Conflict, Method: http.MethodDelete, ID: "/managedClusters/[^/]+$"}}
	check(t, arm.WriteFaults(l.AzureDir(), refused))
	if err := stack.Destroy(ctx, "--skip-preview"); err == nil {
		t.Error("destroy without the program does not fail")
	}
	contains(t, l.Out.Take(), `error: Status=409 Code="OperationNotAllowed"`,
		"Another operation (Updating) is in progress")
	check(t, arm.WriteFaults(l.AzureDir(), refused))
	check(t, stack.Destroy(ctx, "--skip-preview", "--run-program"))
	contains(t, l.Out.Take(),
		"delete of lab-cluster: Azure is busy (OperationNotAllowed: Another operation (Updating) is in progress): "+
			"retry 1 in ")
	check(t, l.checkAzure(ctx, &desired{}))
}

// interference returns faults that start an operation of AKS before about a third of the changes of the cluster or a
// pool.
func interference(random *rand.Rand) []arm.Fault {
	var faults []arm.Fault
	for _, method := range []string{http.MethodPut, http.MethodDelete} {
		faults = append(faults, arm.Fault{
			Kind: arm.Interfere, Method: method, ID: "/managedClusters/", Times: arm.Always,
			Chance: 0.3, Seed: random.Uint64(),
		})
	}
	return faults
}

func manyPools() *desired {
	w := &desired{
		exists: true, bare: true, version: "1.35", license: "None", password: "First-Password-1",
		pools: []map[string]any{linuxPool("sys", "System")},
	}
	for i := range busyPools - 1 {
		pool := linuxPool(fmt.Sprintf("p%d", i), "User")
		if i%2 == 1 {
			pool["name"], pool["platform"] = fmt.Sprintf("w%d", i), "windows-2022"
			delete(pool, "mode")
		}
		w.pools = append(w.pools, pool)
	}
	return w
}

// shuffled scales, labels, resizes or removes each pool, adds a pool, and changes the order.
func shuffled(w *desired, random *rand.Rand) *desired {
	w.pools = slices.DeleteFunc(w.pools, func(p map[string]any) bool {
		return p["mode"] != "System" && random.IntN(6) == 0
	})
	for _, pool := range w.pools {
		switch random.IntN(3) {
		case 0:
			pool["count"] = 2
		case 1:
			pool["labels"] = map[string]any{"team": "blue"}
		case 2:
			pool["size"] = "Standard_D8s_v5"
		}
	}
	if random.IntN(2) == 0 {
		w.version = "1.36"
	}
	w.pools = append(w.pools, linuxPool("more", "User"))
	random.Shuffle(len(w.pools), func(i, j int) { w.pools[i], w.pools[j] = w.pools[j], w.pools[i] })
	return w
}
