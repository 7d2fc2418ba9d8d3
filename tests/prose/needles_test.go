package prose_test

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mostNeedles is the limit of the strings that are searched for before an expression is matched.
const mostNeedles = 128

// needles returns strings such that each match of an expression contains one of them. Searching for them
// first takes a tenth of the time. The result is nil if each text must be matched.
func needles(expression string) []string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic(err)
	}
	_, required := literals(parsed.Simplify())
	return required
}

// literals returns all strings that an expression matches, or nil if they are too many, and its needles.
func literals(re *syntax.Regexp) (all, required []string) {
	switch re.Op {
	case syntax.OpLiteral:
		all = []string{string(re.Rune)}
		if re.Flags&syntax.FoldCase != 0 { // a class such as [Nn]
			all = []string{strings.ToUpper(all[0]), strings.ToLower(all[0])}
			if len(re.Rune) > 1 {
				return nil, nil
			}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if len(all) == mostNeedles {
					return nil, nil
				}
				all = append(all, string(r))
			}
		}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		all = []string{""}
	case syntax.OpQuest:
		if all, _ = literals(re.Sub[0]); all != nil {
			all = append(all, "")
		}
	case syntax.OpCapture:
		return literals(re.Sub[0])
	case syntax.OpPlus:
		_, required = literals(re.Sub[0])
		return nil, required
	case syntax.OpAlternate:
		return alternatives(re.Sub)
	case syntax.OpConcat:
		return sequence(re.Sub)
	}
	return all, better(nil, all)
}

func alternatives(subs []*syntax.Regexp) (all, required []string) {
	finite, bounded := true, true
	for _, sub := range subs {
		a, r := literals(sub)
		finite, bounded = finite && a != nil, bounded && r != nil
		all, required = append(all, a...), append(required, r...)
	}
	if !finite || len(all) > mostNeedles {
		all = nil
	}
	if !bounded || len(required) > mostNeedles {
		required = nil
	}
	return all, required
}

// sequence joins neighbors while they match few strings, and returns the best run of them.
func sequence(subs []*syntax.Regexp) (all, required []string) {
	all, finite := []string{""}, true
	for _, sub := range subs {
		a, r := literals(sub)
		required = better(required, r)
		if a == nil || len(a)*len(all) > mostNeedles {
			finite = false
			if all = a; a == nil {
				all = []string{""}
			}
			continue
		}
		var joined []string
		for _, x := range all {
			for _, y := range a {
				joined = append(joined, x+y)
			}
		}
		all = joined
		required = better(required, all)
	}
	if !finite {
		all = nil
	}
	return all, required
}

// better returns the set whose shortest string is longer. A set with an empty string never wins.
func better(a, b []string) []string {
	if shortest(b) > shortest(a) {
		return b
	}
	return a
}

func shortest(set []string) int {
	if len(set) == 0 {
		return 0
	}
	return len(slices.MinFunc(set, func(a, b string) int { return len(a) - len(b) }))
}

func containsAny(text string, needles []string) bool {
	return needles == nil || slices.ContainsFunc(needles, func(n string) bool { return strings.Contains(text, n) })
}

func TestNeedles(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][]string{
		`\b[Nn]obody\b`:           {"Nobody", "nobody"},
		`\bas [\w ]+ (has|have)`:  {" has", " have"},
		`(is|are) no \w+`:         {"is no ", "are no "},
		`^\w+ (is|are) that of`:   {" is that of", " are that of"},
		`a|\S+`:                   nil,
		`(x|yz)* of (it|them)?\b`: {" of "},
	} {
		if diff := cmp.Diff(want, needles(expression)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", expression, diff)
		}
	}
}
