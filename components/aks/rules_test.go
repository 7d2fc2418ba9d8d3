package aks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/internal/golden"
)

const introduction = `<!-- Written by ` + "`make generate`" + `: edit the rules in components/aks/plan instead. -->

# The rules of AKS

What AKS asks of a cluster and its pools, as far as the arguments tell. ` +
	`Components of package aks check these before anything is sent
to Azure, in the preview and in unit tests, and report all that is wrong at once, each with the path of the argument:

` + "```text" + `
pools[1].name: "windows": 7 characters, and the name of a Windows pool has at most 6: ` +
	`use at most 5, which leaves room for a suffix (MK702)
` + "```" + `

An **error** stops the program; a **warning** is logged. A value that is not known yet ` +
	`skips the rules about that value and no others. What
these tables do not have, such as a newer version of Kubernetes or a newer osSKU, is a warning: ` +
	`Azure may know better. Where a rule is wrong for
your cluster, put its ID into the argument ` + "`Ignore`" + `: its findings are then logged and stop nothing.

| Rule | Severity | What is wrong | Why |
|---|---|---|---|
`

// TestGeneratedRules writes RULES.md with -update.
func TestGeneratedRules(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(introduction)
	for _, r := range plan.Rules() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s", r.ID, r.Severity, r.Title, r.Reason)
		for page := range strings.SplitSeq(r.Source, ", ") {
			fmt.Fprintf(&b, " [source](%s)", page)
		}
		b.WriteString(" |\n")
	}
	golden.Equal(t, "RULES.md", b.String())
}
