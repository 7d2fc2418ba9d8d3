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

Azure, kubeadm and the bootstrap of nodes have requirements for a cluster on virtual machines. ` +
	`Components of package kubeadm check those that depend
only on the arguments before they send anything to Azure, in the preview and in unit tests, ` +
	`and report all errors at once, each with the path of
the argument:

` + "```text" + `
pools[1].fips: Invalid value: true: a virtual machine has it only if its image has it: ` +
	`leave it out, and set an image that has it (MK646)
` + "```" + `

An **error** stops the program. A value that is not known yet skips the rules about that value and no others. ` +
	`If a rule is wrong for your
cluster, add its ID to the argument ` + "`Ignore`" + `: its findings are then logged and stop nothing. ` +
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
