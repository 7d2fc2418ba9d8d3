package engine_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// number and word are subjects of tests.
type (
	number int
	word   string
)

var (
	numbers = &engine.Scope[number]{Name: "numbers"}
	even    = &engine.Scope[number]{Name: "even numbers", Has: func(n number) bool { return n%2 == 0 }}
	words   = &engine.Scope[word]{Name: "words", Several: true}
)

// at returns a check that finds a problem at a path.
func at[S any](path string) func(S) []rule.Problem {
	return func(S) []rule.Problem { return []rule.Problem{{Path: path, Detail: "is wrong"}} }
}

func idsOf(found rule.Findings) []string {
	var ids []string
	for _, f := range found {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return ids
}

func TestRulesLookOnlyAtTheirSubjects(t *testing.T) {
	t.Parallel()
	calls := 0
	rules := []engine.Rule{
		{Rule: rule.Rule{ID: "MK1"}, Checks: []engine.Check{engine.On(numbers, at[number]("a"))}},
		{
			Rule: rule.Rule{ID: "MK2"},
			Checks: []engine.Check{engine.On(even, func(number) []rule.Problem {
				calls++
				return []rule.Problem{{Path: "b"}}
			}), engine.On(words, at[word]("c"))},
		},
	}
	set := engine.New[number](rules...)
	if diff := cmp.Diff([]string{"MK1"}, idsOf(set.Find(3, 0))); diff != "" || calls != 0 {
		t.Errorf("3, %d calls (-want +got):\n%s", calls, diff)
	}
	if diff := cmp.Diff([]string{"MK1", "MK2"}, idsOf(set.Find(4, 0))); diff != "" || calls != 1 {
		t.Errorf("4, %d calls (-want +got):\n%s", calls, diff)
	}
	if diff := cmp.Diff([]string{"MK2"}, idsOf(engine.New[word](rules...).Find("four", 0))); diff != "" {
		t.Errorf("four (-want +got):\n%s", diff)
	}
}

func TestIndexHasTheChecksOfAllTypes(t *testing.T) {
	t.Parallel()
	index := engine.NewIndex(
		engine.Rule{Rule: rule.Rule{ID: "MK1"}, Checks: []engine.Check{
			engine.On(numbers, at[number]("a")), engine.On(words, at[word]("b")),
		}},
		engine.Rule{
			Rule: rule.Rule{ID: "MK2"}, Silences: []string{"MK1"},
			Checks: []engine.Check{engine.On(even, at[number]("c"))},
		},
	)
	for name, tt := range map[string]struct {
		got  rule.Findings
		want []string
	}{
		"an even number": {engine.Find(index, number(2)), []string{"MK2"}},
		"an odd number":  {engine.Find(index, number(3)), []string{"MK1"}},
		"a word":         {engine.Find(index, word("w")), []string{"MK1"}},
		"no rule":        {engine.Find(index.With(), number(2)), nil},
	} {
		if diff := cmp.Diff(tt.want, idsOf(tt.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The scope of several rules is evaluated once.
func TestScopesAreEvaluatedOnce(t *testing.T) {
	t.Parallel()
	evaluated := 0
	scope := &engine.Scope[number]{Name: "numbers", Has: func(number) bool { evaluated++; return true }}
	var rules []engine.Rule
	for _, id := range []string{"MK1", "MK2", "MK3"} {
		rules = append(rules, engine.Rule{
			Rule: rule.Rule{ID: id}, Checks: []engine.Check{engine.On(scope, at[number](id))},
		})
	}
	if found := engine.New[number](rules...).Find(1, 0); len(found) != 3 || evaluated != 1 {
		t.Errorf("%d findings, evaluated %d times", len(found), evaluated)
	}
}

// A scope is evaluated only for subjects of the scope that it is within, whether or not that has checks itself.
func TestScopesWithinOthers(t *testing.T) {
	t.Parallel()
	var evaluated []number
	positive := &engine.Scope[number]{Name: "positive numbers", Has: func(n number) bool { return n > 0 }}
	large := &engine.Scope[number]{Within: positive, Name: "large numbers", Has: func(n number) bool {
		evaluated = append(evaluated, n)
		return n > 9
	}}
	round := &engine.Scope[number]{Within: large, Name: "round numbers", Has: func(n number) bool { return n%10 == 0 }}
	rules := []engine.Rule{
		{Rule: rule.Rule{ID: "MK1"}, Checks: []engine.Check{engine.On(round, at[number]("a"))}},
		{Rule: rule.Rule{ID: "MK2"}, Checks: []engine.Check{engine.On(large, at[number]("b"))}},
		{Rule: rule.Rule{ID: "MK3"}, Checks: []engine.Check{engine.On(numbers, at[number]("c"))}},
	}
	for range 2 {
		evaluated = nil
		set := engine.New[number](rules...)
		for n, want := range map[number][]string{
			-10: {"MK3"}, 1: {"MK3"}, 11: {"MK2", "MK3"}, 20: {"MK1", "MK2", "MK3"},
		} {
			if diff := cmp.Diff(want, idsOf(set.Find(n, 0))); diff != "" {
				t.Errorf("%d (-want +got):\n%s", n, diff)
			}
		}
		slices.Sort(evaluated)
		if diff := cmp.Diff([]number{1, 11, 20}, evaluated); diff != "" {
			t.Errorf("the subjects that the inner scope was evaluated for (-want +got):\n%s", diff)
		}
		slices.Reverse(rules)
	}
}

func TestFindingsCompleteProblems(t *testing.T) {
	t.Parallel()
	rules := []engine.Rule{{
		Rule: rule.Rule{ID: "MK1", Severity: rule.Error, Fix: "remove it", Since: "1.36"},
		Checks: []engine.Check{engine.On(numbers, func(n number) []rule.Problem {
			return []rule.Problem{{Path: "a", Value: int(n)}, {Path: "b", Fix: "write 1", Severity: rule.Info}}
		})},
	}}
	set := engine.New[number](rules...)
	for minor, want := range map[int]rule.Findings{
		35: nil,
		36: {
			{Rule: "MK1", Severity: rule.Error, Path: "a", Value: 2, Fix: "remove it"},
			{Rule: "MK1", Severity: rule.Info, Path: "b", Fix: "write 1"},
		},
		// It is an error in some versions only.
		0: {
			{Rule: "MK1", Severity: rule.Warning, Path: "a", Value: 2, Fix: "remove it"},
			{Rule: "MK1", Severity: rule.Info, Path: "b", Fix: "write 1"},
		},
	} {
		if diff := cmp.Diff(want, set.Find(2, minor)); diff != "" {
			t.Errorf("1.%d (-want +got):\n%s", minor, diff)
		}
	}
}

// A silenced finding silences too, and a rule that does not apply to the version silences nothing.
func TestSilences(t *testing.T) {
	t.Parallel()
	rules := []engine.Rule{
		{
			Rule: rule.Rule{ID: "MK1", Since: "1.36"}, Silences: []string{"MK2"},
			Checks: []engine.Check{engine.On(even, at[number]("a"))},
		},
		{
			Rule: rule.Rule{ID: "MK2"}, Silences: []string{"MK3"},
			Checks: []engine.Check{engine.On(numbers, at[number]("b"))},
		},
		{Rule: rule.Rule{ID: "MK3"}, Checks: []engine.Check{engine.On(numbers, at[number]("c"))}},
		{Rule: rule.Rule{ID: "MK4"}, Checks: []engine.Check{engine.On(numbers, at[number]("d"))}},
	}
	random := rand.New(rand.NewPCG(58, 0))
	for range 50 {
		random.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
		set := engine.New[number](rules...)
		for _, tt := range []struct {
			subject number
			minor   int
			want    []string
		}{
			{2, 36, []string{"MK1", "MK4"}},
			{2, 35, []string{"MK2", "MK4"}},
			{3, 36, []string{"MK2", "MK4"}},
		} {
			if diff := cmp.Diff(tt.want, idsOf(set.Find(tt.subject, tt.minor))); diff != "" {
				t.Fatalf("%d on 1.%d (-want +got):\n%s", tt.subject, tt.minor, diff)
			}
		}
	}
}

// The findings of other subjects silence those that are given, which stay as they are.
func TestDropLeavesTheListAlone(t *testing.T) {
	t.Parallel()
	silences := engine.SilencesOf([]engine.Rule{{Rule: rule.Rule{ID: "MK1"}, Silences: []string{"MK3"}}})
	found := rule.Findings{{Rule: "MK3"}, {Rule: "MK4"}}
	if diff := cmp.Diff([]string{"MK4"}, idsOf(silences.Drop(found, rule.Findings{{Rule: "MK1"}}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"MK3", "MK4"}, idsOf(found)); diff != "" {
		t.Errorf("the list itself (-want +got):\n%s", diff)
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	number, word := engine.On(even, at[number]("a")), engine.On(words, at[word]("b"))
	for _, tt := range []struct {
		checks  []engine.Check
		looksAt []string
		several bool
	}{
		{[]engine.Check{number}, []string{"even numbers"}, false},
		{[]engine.Check{word, word}, []string{"words"}, true},
		{[]engine.Check{number, word}, []string{"even numbers", "words"}, false},
	} {
		r := engine.Rule{Rule: rule.Rule{ID: "MK1"}, Checks: tt.checks}
		if diff := cmp.Diff(tt.looksAt, r.LooksAt()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := r.Several(); got != tt.several {
			t.Errorf("%q look at several objects: got %t", tt.looksAt, got)
		}
	}
}

func TestRulesBetweenObjectsHaveNoOtherChecks(t *testing.T) {
	t.Parallel()
	one, several := engine.On(numbers, at[number]("a")), engine.On(words, at[word]("b"))
	got := map[string]bool{}
	for _, r := range engine.Described([]engine.Rule{
		{Rule: rule.Rule{ID: "MK1"}, Checks: []engine.Check{several, several}},
		{Rule: rule.Rule{ID: "MK2"}, Checks: []engine.Check{one, several}},
		{Rule: rule.Rule{ID: "MK3"}, Checks: []engine.Check{one}},
		{Rule: rule.Rule{ID: "MK4"}},
	}) {
		got[r.ID] = r.Across
	}
	want := map[string]bool{"MK1": true, "MK2": false, "MK3": false, "MK4": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the rules between objects (-want +got):\n%s", diff)
	}
}
