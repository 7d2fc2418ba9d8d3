package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestGeneratedAzureChanges compares the expectations of TestAzureChanges about the engine with their file, and writes
// the file with -update. A test of the stacks checks that mocktest returns the same operations.
func TestGeneratedAzureChanges(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# This file is generated, by the test TestGeneratedAzureChanges in tests/e2e with -update.\n" +
		"# Each step is a change of a cluster on AKS, after the one before it. The operations are those of Pulumi's\n" +
		"# engine, with pulumi-kubernetes and the simulated Azure: TestAzureChanges checks them. A test\n" +
		"# of the stacks checks that mocktest returns the same.\n")
	for _, s := range azureSteps() {
		fmt.Fprintf(&b, "- name: %s\n  version: %q\n", s.name, s.version)
		if s.password != "" {
			fmt.Fprintf(&b, "  password: '%s'\n", strings.ReplaceAll(s.password, "'", "''"))
		}
		b.WriteString("  pools:\n")
		for _, pool := range s.pools {
			fmt.Fprintf(&b, "    - {%s}\n", pool)
		}
		b.WriteString("  operations:\n")
		for _, line := range labtest.Lines(s.operations) {
			fmt.Fprintf(&b, "    - %s\n", line)
		}
	}
	golden.Equal(t, "../../stacks/testdata/azure_changes.yaml", b.String())
}
