package sample

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheChoiceDependsOnTheSeedAndTheTest(t *testing.T) {
	t.Parallel()
	cases := make([]int, 40)
	for i := range cases {
		cases[i] = i
	}
	first := choose("TestMistakes/yaml", cases, 5, 20261130)
	if diff := cmp.Diff(first, choose("TestMistakes/yaml", cases, 5, 20261130)); diff != "" {
		t.Errorf("the same seed chooses other cases:\n%s", diff)
	}
	if len(first) != 5 || !slices.IsSorted(first) || len(slices.Compact(slices.Clone(first))) != 5 {
		t.Errorf("chosen: %v", first)
	}
	for _, other := range [][]int{
		choose("TestMistakes/yaml", cases, 5, 20261201), choose("TestMistakes/python", cases, 5, 20261130),
	} {
		if slices.Equal(first, other) {
			t.Errorf("another seed or test chooses the same cases: %v", other)
		}
	}
}

// TestEachCaseIsChosenSomeDay counts in how many of 1,000 runs each case is chosen: about 125.
func TestEachCaseIsChosenSomeDay(t *testing.T) {
	t.Parallel()
	cases := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	count := map[string]int{}
	for seed := range uint64(1000) {
		count[choose("TestMistakes", cases, 1, seed)[0]]++
	}
	for _, c := range cases {
		if count[c] < 80 {
			t.Errorf("the case %s is chosen in %d of 1,000 runs", c, count[c])
		}
	}
}

func TestSmallMatricesRunWhole(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]int{1, 2}, Of(t, []int{1, 2}, 2)); diff != "" {
		t.Errorf("chosen (-want +got):\n%s", diff)
	}
}
