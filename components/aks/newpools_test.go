package aks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestGeneratedNewPools writes NEW_POOLS.md with -update.
func TestGeneratedNewPools(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# What makes a new pool\n\n" +
		"This file is generated, by `make generate`. Azure takes these properties when it creates a pool, and " +
		"never changes them. A change makes another pool, which exists before the old one is deleted. The two have " +
		"different names if the property is part of the name and its value is known before the program runs: an " +
		"output is not part of the name. Azure upgrades a pool to a newer snapshot (`creationData`): only a pool " +
		"that keeps its name in Azure changes in place.\n\n" +
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
