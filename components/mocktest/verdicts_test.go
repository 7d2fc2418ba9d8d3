package mocktest_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/mocktest/testdata/changes/program"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const verdictsHead = `# What the engine and mocktest say of changes

The program of this directory has objects in a cluster, each with a change. The engine is Pulumi's, with
pulumi-kubernetes and the API server of the lab: TestVerdictsOfTheEngine in tests/e2e holds its column, in a preview
and in an update. TestVerdictsMatchTheEngine holds mocktest's, in both as well. Paths after "for" replace the object,
those after "also" do not.

| change | resource | engine | mocktest | why they differ |
|---|---|---|---|---|
`

// TestVerdictsMatchTheEngine writes the table with -update. The verdicts differ only if the program has a
// reason for it.
func TestVerdictsMatchTheEngine(t *testing.T) {
	t.Parallel()
	engine := engineOutcomes(t)
	dev := mocktest.All(mocktest.Project("changes", "dev"), program.Made())
	earlier := mocktest.MustRun(t, program.Program(""), dev)
	after := mocktest.After(earlier)
	outcomes := map[string]string{}
	for _, c := range mocktest.MustRun(t, program.Program(program.Updated), dev, after).Changes() {
		outcomes[program.Place(string(c.URN))] = program.OutcomeOf(c).String()
	}
	for _, c := range mocktest.MustRun(t, program.Program(program.Updated), dev, after, mocktest.Preview()).Changes() {
		place := program.Place(string(c.URN))
		if got := program.OutcomeOf(c).String(); got != outcomes[place] {
			t.Errorf("%s: %s in a preview, %s in an update", place, got, outcomes[place])
		}
	}

	var table strings.Builder
	row := func(c program.Change, what, engine, mocktest, why string) {
		if (engine == mocktest) != (why == "") {
			t.Errorf("%s, %s:\nengine   %s\nmocktest %s\nwhy they differ: %q", c.Name, what, engine, mocktest, why)
		}
		cells := []string{c.Name, what, engine, mocktest, why}
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&table, "| %s |\n", strings.Join(cells, " | "))
	}
	for _, c := range program.Changes() {
		for _, place := range slices.Sorted(maps.Keys(engine)) {
			_, name, _ := strings.Cut(place, "::")
			if own, ok := strings.CutPrefix(name, c.Prefix()); ok && !c.Refused {
				typ := place[strings.LastIndex(place[:len(place)-len(name)], "$")+1 : len(place)-len(name)-len("::")]
				row(c, typ+" "+own, engine[place], outcomes[place], c.Differs[own])
				delete(outcomes, place)
			}
		}
		if c.Refused || c.Tried {
			_, err := mocktest.Run(program.Program(c.Name), dev, after, mocktest.Preview())
			text := "passes"
			if err != nil {
				text = strings.TrimPrefix(err.Error(), "mocktest: ")
			}
			row(c, "its preview", engine[c.Name], text, c.Differs["its preview"])
		}
	}
	golden.Equal(t, "testdata/changes/verdicts.md", verdictsHead+table.String())
	for place, outcome := range outcomes {
		if outcome != string(mocktest.OpSame) {
			t.Errorf("%s: %s, and the engine has no outcome", place, outcome)
		}
	}
}

// engineOutcomes returns the lines of the engine's golden file, by their beginning: a place, or the name of a change.
func engineOutcomes(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../tests/e2e/testdata/changes.golden")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(text)) {
		what, outcome, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		lines[what] = outcome
	}
	return lines
}
