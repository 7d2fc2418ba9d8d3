package platform

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

var (
	registryPattern = regexp.MustCompile(
		`^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*` +
			`|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`,
	)
	componentPattern = regexp.MustCompile(`^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$`)
	tagPattern       = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}$`)
)

// grammar lists the parts of a reference: the function that matches each by hand, and the expression of the
// distribution project.
var grammar = []struct {
	name    string
	byHand  func(string) bool
	pattern *regexp.Regexp
}{
	{"registry", isHost, registryPattern},
	{"component", isComponent, componentPattern},
	{"tag", isTag, tagPattern},
}

func TestTheGrammarOfReferences(t *testing.T) {
	t.Parallel()
	const letters = "aZ09._-:[]é"
	random := rand.New(rand.NewPCG(1, 2))
	accepted := map[string]int{}
	compare := func(text string) {
		for _, g := range grammar {
			want := g.pattern.MatchString(text)
			if got := g.byHand(text); got != want {
				t.Errorf("%s %q: %t, want %t", g.name, text, got, want)
			}
			if want {
				accepted[g.name]++
			}
		}
	}
	long := make([]byte, 129)
	for i := range long {
		long[i] = 'a'
	}
	for _, text := range []string{
		"", string(long), string(long[1:]), "mcr.microsoft.com", "localhost:5000",
		"[::1]:5000", "a:", "a:b", "a__b", "a___b", "a---b", "a-_b",
	} {
		compare(text)
	}
	for range 200_000 {
		text := make([]byte, random.IntN(8))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		compare(string(text))
	}
	for _, g := range grammar {
		if accepted[g.name] < 1000 {
			t.Errorf("only %d texts are a %s", accepted[g.name], g.name)
		}
	}
}
