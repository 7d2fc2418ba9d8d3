package aks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/internal/golden"
)

// TestGeneratedNewPools writes NEW_POOLS.md with -update.
func TestGeneratedNewPools(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# What makes a new pool\n\n" +
		"This file is generated, by `make generate`. Azure takes these properties of a pool when the pool is made, " +
		"and never changes them. A change makes another pool, which is there before the old one goes. The name " +
		"tells the two apart where the column says so, as far as the value is known before the program runs: an " +
		"output is not part of it.\n\n" +
		"| Property in Azure's API | Pools | Part of the name | Source |\n|---|---|---|---|\n")
	for _, f := range plan.FixedProperties() {
		pools, inName := "all", "no"
		if f.OnlyWindows {
			pools = "Windows"
		}
		if f.InName {
			inName = "yes"
		}
		properties := strings.Join(f.Properties, "`, `")
		fmt.Fprintf(&b, "| `%s` | %s | %s | [source](%s) |\n", properties, pools, inName, f.Source)
	}
	golden.Equal(t, "NEW_POOLS.md", b.String())
}
