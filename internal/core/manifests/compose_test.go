package manifests_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

func changed(text string, changes []manifests.Change) string {
	var out strings.Builder
	at := 0
	for _, c := range changes {
		out.WriteString(text[at:c.At])
		out.WriteString(c.Text)
		at = c.At + c.Replaced
	}
	out.WriteString(text[at:])
	return out.String()
}

// changes returns random changes of a text.
func changes(g *rand.Rand, size int) []manifests.Change {
	var all []manifests.Change
	for at := g.IntN(4); at <= size; at += 1 + g.IntN(4) {
		c := manifests.Change{At: at, Replaced: min(g.IntN(3), size-at), Text: strings.Repeat("x", g.IntN(3))}
		all = append(all, c)
		at += c.Replaced
	}
	return all
}

func TestComposedChangesHaveTheEffectOfBoth(t *testing.T) {
	t.Parallel()
	const seed = 1
	g := rand.New(rand.NewPCG(seed, seed))
	for i := range 20000 {
		text := "abcdefghijklmnop"[:g.IntN(17)]
		first := changes(g, len(text))
		middle := changed(text, first)
		second := changes(g, len(middle))
		for i := range second {
			second[i].Text = strings.ToUpper(second[i].Text)
		}
		composed := manifests.Compose(first, second, len(text))
		if got, want := changed(text, composed), changed(middle, second); got != want {
			t.Fatalf("seed %d, number %d: %q with %v, and then %v: %q by %v, want %q", seed, i, text, first, second,
				got, composed, want)
		}
		overlap := func(a, b manifests.Change) int {
			if a.At+a.Replaced > b.At {
				return 1
			}
			return -1
		}
		if !slices.IsSortedFunc(composed, func(a, b manifests.Change) int { return -overlap(b, a) }) {
			t.Fatalf("overlapping: %v", composed)
		}
	}
}
