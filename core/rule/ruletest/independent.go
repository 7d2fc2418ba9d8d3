package ruletest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Independent fails the test unless each check finds something without all others in one of the inputs, each rule finds
// the same with and without the others unless they silence it, and 50 orders of the rules give the same findings. It
// calls use to make rules the only ones of a package, so the test must not be parallel.
func Independent(t *testing.T, rules []engine.Rule, use func([]engine.Rule), inputs []func() []rule.Finding) {
	t.Helper()
	defer use(rules)
	use(rules)
	want := foundBy(inputs)
	silenced := map[string]bool{}
	for _, r := range rules {
		for _, id := range r.Silences {
			silenced[id] = true
		}
	}
	for _, r := range rules {
		var has []func() []rule.Finding
		var among [][]string
		for i, found := range want {
			if own := linesOf(found, r.ID); len(own) > 0 {
				has, among = append(has, inputs[i]), append(among, own)
			}
		}
		for i, c := range r.Checks {
			use([]engine.Rule{{Rule: r.Rule, Checks: []engine.Check{c}}})
			if !slices.ContainsFunc(has, func(check func() []rule.Finding) bool { return len(check()) > 0 }) {
				t.Errorf("%s: check %d, which looks at %s, finds nothing in the inputs of the tests", r.ID, i+1,
					c.Looks())
			}
		}
		use([]engine.Rule{r})
		var alone [][]string
		for _, found := range foundBy(has) {
			alone = append(alone, linesOf(found, ""))
		}
		if silenced[r.ID] { // the others only remove findings
			for i := range alone {
				alone[i] = slices.DeleteFunc(alone[i],
					func(line string) bool { return !slices.Contains(among[i], line) })
			}
		}
		if diff := cmp.Diff(among, alone, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-among all +alone):\n%s", r.ID, diff)
		}
	}
	shuffled, random := slices.Clone(rules), rand.New(rand.NewPCG(58, 0))
	for range 50 {
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		use(shuffled)
		for i, found := range foundBy(inputs) {
			if diff := cmp.Diff(linesOf(want[i], ""), linesOf(found, "")); diff != "" {
				t.Fatalf("in another order (-want +got):\n%s", diff)
			}
		}
	}
}

func foundBy(inputs []func() []rule.Finding) [][]rule.Finding {
	var all [][]rule.Finding
	for _, check := range inputs {
		all = append(all, check())
	}
	return all
}

// linesOf returns findings of a rule as sorted texts, or of all rules for "".
func linesOf(found []rule.Finding, id string) []string {
	var lines []string
	for _, f := range found {
		if id == "" || f.Rule == id {
			lines = append(lines, string(f.Severity)+": "+f.String())
		}
	}
	slices.Sort(lines)
	return lines
}
