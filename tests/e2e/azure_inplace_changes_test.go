package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

var programChanges = flag.Int("program-changes", 1, "number of random changes of pools in TestProgramsChangePools")

// withoutArgument are the properties of [poolChanges] that no argument of a program has. Some options of azure-native
// stand for arguments.
var withoutArgument = []string{
	"networkProfile.allowedHostPorts",
	"securityProfile.enableSecureBoot",
	"securityProfile.enableVTPM",
	"localDNSProfile",
}

// programChange is a change of a pool that a program makes.
type programChange struct {
	poolChange

	linux, inPlace bool
	// budget is the budget, empty if there is none, and atLeast the number of pods that it retains.
	budget  string
	atLeast int
	// returns is false if no program makes the change back.
	returns bool
}

// randomProgramChange returns a change with one of three kinds of budget.
func randomProgramChange(random *rand.Rand, budget int) programChange {
	changes := slices.DeleteFunc(slices.Clone(poolChanges), func(c poolChange) bool {
		return slices.Contains(withoutArgument, c.property)
	})
	c := programChange{linux: random.IntN(2) == 0, inPlace: random.IntN(2) == 0}
	if !c.linux {
		// System pools are Linux, and FIPS of a Windows pool changes with the release.
		changes = slices.DeleteFunc(changes, func(c poolChange) bool {
			return c.property == "mode" || c.property == "enableFIPS" || c.property == "osSKU"
		})
		changes = append(changes, changeOf("osSKU", "Windows2022", "Windows2025"))
	}
	c.poolChange = changes[random.IntN(len(changes))]
	c.atLeast = budget % 3
	c.budget = [][]string{
		{"", "{maxUnavailable: 1}", "{maxUnavailable: 0}"}, {"", "{minAvailable: 1}", "{minAvailable: 2}"},
	}[random.IntN(2)][c.atLeast]
	// A pool that changes in place ignores other images.
	c.inPlace = c.announced() || c.inPlace && c.property != "osSKU" && c.property != "enableFIPS"
	// An argument that is false retains FIPS, and a version and a release never return.
	c.returns = !slices.Contains([]string{"enableFIPS", "orchestratorVersion"}, c.property) &&
		(c.linux || c.property != "osSKU")
	return c
}

// announced reports whether a command makes the change, which the preview announces with MK815.
func (c programChange) announced() bool {
	return c.property == "vmSize" || !c.linux && c.property == "osSKU"
}

// replaces reports whether AKS replaces the nodes.
func (c programChange) replaces() bool {
	return c.announced() || facts.AKSPoolChangeOf(c.property).Linux != facts.KeepsNodes
}

// blocks reports whether the budget allows no eviction: there are two pods.
func (c programChange) blocks() bool { return c.atLeast == 2 }

// settings are the settings of the program's configuration for a pool with properties.
func (c programChange) settings(t *testing.T, pool, budget string, properties object) []string {
	t.Helper()
	text, err := json.Marshal(properties)
	check(t, err)
	settings := []string{
		fmt.Sprintf("linux: %t", c.linux), fmt.Sprintf("inPlace: %t", c.inPlace), "nameInAzure: " + pool,
		"pool: " + string(text),
	}
	if budget != "" {
		settings = append(settings, "budget: "+budget)
	}
	return settings
}

// TestProgramsChangePools makes random changes of pools with `pulumi up`, and their changes back. The preview announces
// whether a budget will stop the drain, budgets are respected at each moment, and all pods run at the end. The update
// after the one that has stopped continues.
func TestProgramsChangePools(t *testing.T) {
	t.Parallel()
	l := startInPlace(t)
	t.Run("killed", l.testKilledUpdates)
	seed := sample.Random(t, *programChanges)
	for i := range *programChanges {
		number, round := i%distinctChanges, i/distinctChanges
		c := randomProgramChange(rand.New(rand.NewPCG(seed, uint64(number))), number+round)
		t.Run(fmt.Sprintf("change %d", i), func(t *testing.T) {
			t.Logf("%v to %v, linux: %t, in place: %t, budget: %q", c.from, c.to, c.linux, c.inPlace, c.budget)
			l.testChange(t, c, fmt.Sprintf("p%d", i))
		})
	}
}

// testChange makes a change of a new pool, and the change back.
func (l inPlaceLab) testChange(t *testing.T, c programChange, pool string) {
	t.Helper()
	l.mustUp(t, c.settings(t, pool, "", c.from))
	r := l.rollingPool(t, pool)
	r.settles(t)
	if c.budget != "" {
		l.mustUp(t, c.settings(t, pool, c.budget, c.from))
		r.knowsPods(t, "web")
	}
	r.watch(t.Context(), t)
	l.testStep(t, r, c, c.to)
	if c.returns {
		if c.blocks() {
			l.mustUp(t, c.settings(t, pool, c.budget, c.to))
			r.knowsPods(t, "web")
		}
		l.testStep(t, r, c, c.from)
	}
	l.checkNothingLeft(t)
}

// checkNothingLeft checks that another update would change nothing.
func (l inPlaceLab) checkNothingLeft(t *testing.T) {
	t.Helper()
	r := newRunRecord(t, l.stack, l.records)
	if err := l.stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
		t.Errorf("something is left to do: %v\n%s", err, r.output(t))
	}
}

// testStep gives the pool properties, with the budget of the change.
func (l inPlaceLab) testStep(t *testing.T, r *rolling, c programChange, properties object) {
	t.Helper()
	r.before = r.machines(t)
	count, counts := properties["count"].(int)
	drains := c.replaces() || counts && count < len(r.before)
	r.expect(c.atLeast)
	minute := "20s"
	if c.blocks() && drains {
		minute = "200ms"
	}
	l.configure(t, c.settings(t, r.pool, c.budget, properties)...)
	_, output, err := l.up(t, minute)
	preview, update, _ := strings.Cut(output, "\nUpdating (dev)")
	if got := strings.Contains(preview, "(MK815)"); got != c.announced() {
		t.Errorf("MK815 is in the preview: %t, want %t:\n%s", got, c.announced(), preview)
	}
	// The preview does not compare options of azure-native with the pool in Azure.
	announces := c.blocks() && drains && (!c.linux || c.property != "osSKU")
	if got := strings.Contains(preview, "this update drains the nodes of "); got != announces {
		t.Errorf("the preview announces a drain that stops: %t, want %t:\n%s", got, announces, preview)
	}
	// A node that leaves a smaller pool may have no pod.
	stops := c.blocks() && c.replaces()
	if stopped := strings.Contains(update, "did not leave the node"); stopped != stops && !counts {
		t.Errorf("a drain has stopped: %t (%v), want %t:\n%s", stopped, err, stops, update)
	}
	r.checkBudget(t)
	if c.blocks() {
		r.expect(1)
		if stops && !c.announced() { // objects of the cluster wait for a pool that azure-native changes
			r.relax(t)
		}
		l.mustUp(t, c.settings(t, r.pool, "{maxUnavailable: 1}", properties))
	} else if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	nodes := slices.Repeat([]string{"old"}, len(r.before))
	switch {
	case c.replaces():
		nodes = []string{"new", "new"}
	case counts && count > len(nodes):
		nodes = append([]string{"new"}, nodes...)
	case counts:
		nodes = nodes[:count]
	}
	if diff := cmp.Diff(nodes, r.lines(t)); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	r.checkNames(t, c.property == "vmSize")
	r.checkProperties(t, properties)
	r.settles(t)
	r.checkBudget(t)
}

// mustUp runs `pulumi up` with settings, and fails the test if it fails.
func (l inPlaceLab) mustUp(t *testing.T, settings []string) {
	t.Helper()
	l.configure(t, settings...)
	if _, output, err := l.up(t, "20s", "--skip-preview"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// rollingPool returns a pool of the program.
func (l inPlaceLab) rollingPool(t *testing.T, name string) *rolling {
	t.Helper()
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	check(t, err)
	pools, err := cloud.Pools(t.Context())
	check(t, err)
	return &rolling{
		cloud: cloud, client: l.client(t), id: pools[0].Cluster, pool: name, namespace: "default", replicas: 2,
	}
}

// relax lets the budget allow evictions, as the program's manager of its fields, so that no field has two.
func (r *rolling) relax(t *testing.T) {
	t.Helper()
	budgets := r.client.PolicyV1().PodDisruptionBudgets(r.namespace)
	found, err := budgets.Get(t.Context(), "web", metav1.GetOptions{})
	check(t, err)
	force := true
	for _, fields := range found.ManagedFields {
		if fields.Operation == metav1.ManagedFieldsOperationApply {
			_, err = budgets.Patch(t.Context(), "web", types.ApplyPatchType, []byte(`{
				"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
				"spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}}
			}`), metav1.PatchOptions{FieldManager: fields.Manager, Force: &force})
			check(t, err)
		}
	}
}

// expect sets the number of pods that have to be ready, and begins to count again.
func (r *rolling) expect(atLeast int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.atLeast, r.fewest = atLeast, r.replicas
}

// checkProperties compares some properties of the pool in Azure, and its state.
func (r *rolling) checkProperties(t *testing.T, want object) {
	t.Helper()
	body, err := r.cloud.Get(t.Context(), r.poolID())
	check(t, err)
	properties, _ := body["properties"].(arm.Body)
	for name, value := range want {
		got := properties[name]
		if fields, ok := value.(object); ok && name == "upgradeSettings" { // which has more fields
			name, value = "maxSurge", fields["maxSurge"]
			got = got.(object)[name]
		}
		if fmt.Sprint(got) != fmt.Sprint(value) && (got != nil || fmt.Sprint(value) != "[]") {
			t.Errorf("%s is %v, want %v", name, got, value)
		}
	}
	if state := properties["provisioningState"]; state != "Succeeded" {
		t.Errorf("the pool is %v", state)
	}
}
