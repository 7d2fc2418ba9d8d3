package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestCountText(t *testing.T) {
	t.Parallel()
	text := "The cluster is made by Azure. Run it! " + strings.Repeat("one ", 25) + "more. without an end"
	const want = "{3 34 36 1 1}"
	if got := fmt.Sprint(countText(text)); got != want {
		t.Errorf("counts are %s, want %s", got, want)
	}
}

func TestSyllables(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]int{"node": 1, "table": 2, "the": 1, "cluster": 2, "Kubernetes": 4, "xxx": 1} {
		if got := syllables(w); got != want {
			t.Errorf("%s has %d syllables, want %d", w, got, want)
		}
	}
}
