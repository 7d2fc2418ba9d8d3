package kubeadm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/internal/golden"
)

const rulesIntroduction = `<!-- Written by ` + "`make generate`" +
	`: edit the rules in components/kubeadm/plan instead. -->

# The rules of self-managed clusters

What Azure, kubeadm and the bootstrap of nodes ask of a cluster on virtual machines, ` +
	`as far as the arguments tell. Components of package kubeadm
check these before anything is sent to Azure, in the preview and in unit tests, ` +
	`and report all that is wrong at once, each with the path of the
argument:

` + "```text" + `
pools[1].fips: Invalid value: true: a virtual machine has it from its image only: ` +
	`leave it out, and give an image that has it (MK646)
` + "```" + `

An **error** stops the program. A value that is not known yet skips the rules about that value and no others. ` +
	`Where a rule is wrong for your
cluster, put its ID into the argument ` + "`Ignore`" + `: its findings are then logged and stop nothing. ` +
	`Rules without which there would be no machine
or no node, and those that keep values out of scripts, cannot be ignored.

| Rule | Severity | Can be ignored | What is wrong | Why |
|---|---|---|---|---|
`

// TestGeneratedRules writes RULES.md with -update.
func TestGeneratedRules(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(rulesIntroduction)
	for _, r := range plan.Rules() {
		ignored := "yes"
		if r.Mandatory {
			ignored = "no"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s", r.ID, r.Severity, ignored, r.Title, r.Reason)
		for source := range strings.SplitSeq(r.Source, ", ") {
			if strings.HasPrefix(source, "https://") {
				fmt.Fprintf(&b, " [source](%s)", source)
			}
		}
		b.WriteString(" |\n")
	}
	golden.Equal(t, "RULES.md", b.String())
}
