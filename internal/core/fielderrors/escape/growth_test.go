package escape

import (
	"strings"
	"testing"
)

// A report can have hundreds of thousands of lines, and nearly all are ordinary ones.
func TestOrdinaryLinesAreNotCopied(t *testing.T) { //nolint:paralleltest // it counts allocations
	text := strings.Repeat("a.yaml:1: Pod/p: error: spec.a: is not a field: remove it (#1)\n", 100)
	if n := testing.AllocsPerRun(10, func() { Commands(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNoCommandIsOverlooked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"\u200b \u200b:\u200b:a": true, "\xff::a": true, " \t::a": true, "#\u034f#\u200b[a": true, "a##vso": true,
		"a::b": false, ":a:": false, "#[##": false, "\u200b": false,
	} {
		if HasCommands(text) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}
