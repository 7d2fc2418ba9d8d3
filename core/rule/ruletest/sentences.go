package ruletest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Sentences returns the texts of findings, one for each problem and fix, in the order of the rules. A test of rules
// that compares paths and IDs elsewhere compares it with a golden file.
func Sentences(findings []rule.Finding) string {
	seen := map[[3]string]bool{}
	lines := []string{"# The sentences of the rules. Written by `make generate`.\n"}
	for _, f := range slices.SortedStableFunc(slices.Values(findings), func(a, b rule.Finding) int {
		return cmp.Compare(a.Rule, b.Rule)
	}) {
		if key := [3]string{f.Rule, f.Detail, f.Fix}; !seen[key] {
			lines = append(lines, string(f.Severity)+": "+f.String()+"\n")
			seen[key] = true
		}
	}
	return strings.Join(lines, "")
}
