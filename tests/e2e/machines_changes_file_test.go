package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// machinesAtFirst returns the pools of the step create.
func machinesAtFirst() []string {
	return []string{
		"name: linux, platform: linux, size: Standard_D4s_v5, count: 1",
		"name: win, platform: windows-2022, size: Standard_D4s_v5, count: 1",
	}
}

// TestGeneratedMachineChanges compares the expectations of TestMachineChanges about the engine with their file, and
// writes the file with -update. The tests of the stacks check that mocktest returns the same operations.
func TestGeneratedMachineChanges(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# This file is generated, by the test TestGeneratedMachineChanges in tests/e2e with -update. Each " +
		"step is a change of\n" +
		"# a cluster of machines, after the one before it. The operations are those of Pulumi's engine, with " +
		"pulumi-kubernetes\n" +
		"# and the simulated Azure: TestMachineChanges checks them. A test of this directory checks that mocktest " +
		"returns the same.\n")
	// There are no expectations for the operations of the creation.
	created := machineStep{name: "create", controlPlanes: 1, pools: machinesAtFirst()}
	for _, s := range append([]machineStep{created}, machineSteps()...) {
		fmt.Fprintf(&b, "- name: %s\n  controlPlanes: %d\n  pools:\n", s.name, s.controlPlanes)
		for _, pool := range s.pools {
			fmt.Fprintf(&b, "    - {%s}\n", pool)
		}
		if s.operations == "" {
			continue
		}
		b.WriteString("  operations:\n")
		for _, line := range eachOfMachines(t, labtest.Lines(s.operations)) {
			fmt.Fprintf(&b, "    - %s\n", line)
		}
	}
	golden.Equal(t, "../../stacks/kubeadm/testdata/machine_changes.yaml", b.String())
}

// eachOfMachines expands the line that machineOperations writes for the operations of a machine.
func eachOfMachines(t *testing.T, lines []string) []string {
	t.Helper()
	var all []string
	for _, line := range lines {
		op, machine, found := strings.Cut(line, " machine ")
		if !found {
			all = append(all, line)
			continue
		}
		pool, _, _ := strings.Cut(machine, "-")
		var parts []string
		for _, suffix := range slices.Sorted(maps.Keys(machineParts)) {
			parts = append(parts, labtest.Operation{
				Op: op, Type: machineParts[suffix], Name: "kubeadm-lab-" + pool + "-" + machine + suffix,
			}.String())
		}
		if together := machineOperations(parts); !slices.Equal(together, []string{line}) {
			t.Fatalf("%q are %q, want %q", parts, together, line)
		}
		all = append(all, parts...)
	}
	slices.Sort(all)
	return all
}
