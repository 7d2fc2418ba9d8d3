package hostile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// input is a hostile input, and what its user runs.
type input struct {
	name string
	// refused is true if the exit code must be 2.
	refused bool
	lay     func(t *testing.T, m machine) run
}

// pairs returns the kinds in each place that can hold them. The content depends on the seed and on the index of the
// input.
func pairs(index func() int) []input {
	var all []input
	for _, k := range kinds() {
		for _, p := range places {
			if !p.fits(k.make(random(0))) {
				continue
			}
			r := random(index())
			c := k.make(r)
			all = append(all, input{
				name: k.name + ", in the place " + p.name, refused: c.refused,
				lay: func(t *testing.T, m machine) run {
					t.Helper()
					return p.lay(t, m, c, r)
				},
			})
		}
	}
	return all
}

func random(index int) *rand.Rand { return rand.New(rand.NewPCG(sample.Seed(), uint64(index))) }

// generated returns the inputs: each trap, each pair, and then more of the pairs with other random parts.
func generated() []input {
	all := trapped()
	all = append(all, pairs(func() int { return len(all) })...)
	for next := len(all); len(all) < *inputs; next = len(all) {
		more := pairs(func() int { next++; return next })
		choice := random(len(all))
		for range min(*inputs-len(all), len(more)) {
			all = append(all, more[choice.IntN(len(more))])
		}
	}
	return all
}

// chosen returns the indexes of as many inputs as the flag tells.
func chosen(all []input) []int {
	if *only >= 0 {
		return []int{*only}
	}
	return slices.Sorted(slices.Values(random(len(all)).Perm(len(all))[:*inputs]))
}

func TestHostileInputs(t *testing.T) {
	t.Parallel()
	all := generated()
	indexes := chosen(all)
	seed := sample.Random(t, len(indexes))
	for _, i := range indexes {
		in := all[i]
		t.Run(fmt.Sprintf("%d %s", i, in.name), func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			command := in.lay(t, m)
			tree := listing(m.snapshot(t))
			got := m.run(t, command)
			wrong := verdict(m, command, got)
			if in.refused && got.ended == "" && got.code != 2 {
				wrong = append(wrong, fmt.Sprintf("the exit code is %d, want 2", got.code))
			}
			for _, w := range wrong {
				t.Error(w)
			}
			t.Logf("exit %d after %s of processor time, with %d MB", got.code, got.cpu, got.memory>>20)
			if t.Failed() {
				t.Logf("again: go -C tests test ./hostile -seed %d -inputs %d -only %d\n%s\n%s\n%s%s",
					seed, *inputs, i, tree, command.line(), beginning(got.stdout), beginning(got.stderr))
			}
		})
	}
}

// beginning returns the first bytes of an output, with escapes.
func beginning(text string) string {
	if len(text) > 2_000 {
		text = text[:2_000] + "…"
	}
	return fmt.Sprintf("%q\n", text)
}
