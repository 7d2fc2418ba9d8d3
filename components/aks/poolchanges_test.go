package aks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestGeneratedPoolChanges writes POOL_CHANGES.md with -update.
func TestGeneratedPoolChanges(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, f := range plan.FixedProperties() {
		for _, property := range f.Properties {
			named[property] = f.InName
		}
	}
	var b strings.Builder
	b.WriteString("# Changes of a pool\n\nThis file is generated, by `make generate`. It has AKS' effect on the " +
		"nodes of an existing pool when a property of the pool changes:\n\n" +
		"- **a new pool**: AKS takes the property only when it creates a pool. The program makes another pool, which " +
		"exists before the old one is deleted. The two have different names if the property is part of the name and " +
		"its value is known before the program runs: an output is not part of the name.\n" +
		"- **in place**: the nodes stay, except for those that another count adds or removes.\n" +
		"- **new images**: each node gets another image, and loses the data on its OS disk.\n" +
		"- **new nodes**: AKS adds nodes (`maxSurge`), drains the old ones, and removes them. The program makes a " +
		"new pool for a snapshot (`creationData`), unless the pool keeps its name in Azure.\n" +
		"- **stopped or started nodes**: AKS stops or starts the machines of the pool.\n\n" +
		"| property in Azure's API | Linux | Windows | part of the name | source |\n|---|---|---|---|---|\n")
	for _, c := range facts.AKSPoolChanges {
		inName := ""
		if named[c.Property] {
			inName = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | [source](%s) |\n", c.Property, c.Linux, c.Windows, inName,
			c.Source)
	}
	b.WriteString("\n## In preview\n\nThese changes are not generally available. The program makes a new pool, " +
		"unless `change` of the pool is `InPlace` and `previews` names the preview, which is possible for `vmSize` " +
		"and `osSKU`.\n\n| property | pools | effect | feature | from the API | AKS refuses | source |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, c := range facts.AKSPreviewChanges {
		pools := "all"
		if c.OnlyWindows {
			pools = "Windows"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | [source](%s) |\n", c.Property, pools,
			c.Effect, orNone(c.Feature), orNone(c.API), strings.Join(c.Limits, ", "), c.Source)
	}
	golden.Equal(t, "POOL_CHANGES.md", b.String())
}

func orNone(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// unsourced are the properties that no source says about how AKS changes them.
var unsourced = map[string]string{
	"gatewayProfile":            "the documentation of gateway pools scales them only",
	"gpuProfile":                "only its driver has a source",
	"networkProfile":            "its properties have rows of their own",
	"securityProfile":           "its properties have rows of their own",
	"virtualMachineNodesStatus": "Azure's answer, which a program does not set",
	"workloadRuntime":           "no page changes it; Terraform's provider changes it in place",
}

// The table has each property that azure-native can send.
func TestEachPropertyOfAPoolHasAChange(t *testing.T) {
	t.Parallel()
	place := []string{"agentPoolName", "resourceGroupName", "resourceName"}
	used := map[string]bool{}
	args := containerservice.AgentPoolArgs{}.ElementType()
	for field := range args.Fields() {
		property := field.Tag.Get("pulumi")
		if slices.Contains(place, property) {
			continue
		}
		has := facts.AKSPoolChangeOf(property) != (facts.PoolChange{})
		_, without := unsourced[property]
		if has == without {
			t.Errorf("%s is in AKSPoolChanges: %t, and in unsourced: %t", property, has, without)
		}
		used[property] = true
	}
	for _, c := range facts.AKSPoolChanges {
		if property, _, _ := strings.Cut(c.Property, "."); !used[property] {
			t.Errorf("azure-native does not send %s", property)
		}
	}
}

// The program replaces a pool for exactly the properties that AKS never changes, and for snapshots.
func TestTheProgramReplacesPoolsAsInTheTable(t *testing.T) {
	t.Parallel()
	var linux, windows []string
	for _, c := range facts.AKSPoolChanges {
		if c.Linux == facts.NewPool || c.Property == "creationData" {
			linux = append(linux, c.Property)
		}
		if c.Windows == facts.NewPool || c.Property == "creationData" {
			windows = append(windows, c.Property)
		}
	}
	slices.Sort(linux)
	slices.Sort(windows)
	if got := plan.Replacing(topology.Pool{Platform: platform.Linux}); !slices.Equal(got, linux) {
		t.Errorf("Linux pools are replaced for %v, want %v", got, linux)
	}
	if got := plan.Replacing(topology.Pool{Platform: platform.WindowsServer2022}); !slices.Equal(got, windows) {
		t.Errorf("Windows pools are replaced for %v, want %v", got, windows)
	}
}

// A change in preview is one that needs a new pool without it.
func TestPreviewsChangePropertiesThatNeedANewPool(t *testing.T) {
	t.Parallel()
	for _, c := range facts.AKSPreviewChanges {
		if facts.AKSPoolChangeOf(c.Property).Windows != facts.NewPool {
			t.Errorf("%s changes without the preview", c.Property)
		}
	}
}
