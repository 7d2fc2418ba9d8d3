package guard_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/mistakes/program"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/golden"
)

const whoFinds = `# Who finds the twelve mistakes

The program of this folder has twelve mistakes, for which more rules than twelve speak. TestGuard in tests/e2e holds
what the CLI and the Automation API say, TestWhoFindsTheTwelveMistakes the rest.

| rule | resource | CLI, Automation API | mocktest | SDK's mocks, wrapped | SDK's mocks, not wrapped | why not |
|---|---|---|---|---|---|---|
`

// TestWhoFindsTheTwelveMistakes writes the table with -update. In each column are the findings that
// the engine has shown in tests/e2e, and no others.
func TestWhoFindsTheTwelveMistakes(t *testing.T) {
	byEngine := shownByEngine(t, "../../tests/e2e/testdata/mistakes.golden")
	t.Chdir("testdata/mistakes")
	var underMocktest, wrapped guard.Report
	_, err := mocktest.Run(guard.Program(program.Program, guard.ReportTo(&underMocktest)),
		mocktest.Project("mistakes", "dev"), mocktest.Preview())
	_, stopped := errors.AsType[*guard.Error](err)
	mocks := pulumi.WithMocks("mistakes", "dev", &echo{})
	err = pulumi.RunErr(guard.Program(program.Program, guard.ReportTo(&wrapped)), mocks)
	if _, ok := errors.AsType[*guard.Error](err); !ok || !stopped {
		t.Errorf("the errors are not the guard's: %v", err)
	}
	first := pulumi.RunErr(program.Program, mocks)
	if _, ok := errors.AsType[*rule.FindingError](first); !ok {
		t.Fatalf("not wrapped: %v", first)
	}

	var table strings.Builder
	counted := map[string]int{}
	mark := func(column string, found bool) string {
		if !found {
			return "–"
		}
		counted[column]++
		return "yes"
	}
	for _, finding := range byEngine {
		name, text, _ := strings.Cut(finding, ": ")
		reason := ""
		if _, rendered, _ := strings.Cut(name, ":"); rendered != "" {
			reason = "the provider renders it, in a process that only an engine runs"
		} else if !strings.Contains(first.Error(), text) {
			reason = "a component refuses its own mistakes and ends the program: wrapped, it leaves them to the guard"
		}
		fmt.Fprintf(&table, "| %s | %s | yes | %s | %s | %s | %s |\n", ruleID.FindStringSubmatch(text)[1], name,
			mark("mocktest", slices.Contains(findings(underMocktest), finding)),
			mark("wrapped", slices.Contains(findings(wrapped), finding)),
			mark("first", strings.Contains(first.Error(), text)), reason)
	}
	for column, all := range map[string]int{
		"mocktest": len(underMocktest.Findings), "wrapped": len(wrapped.Findings),
		"first": strings.Count(first.Error(), "(MK"),
	} {
		if counted[column] != all {
			t.Errorf("%s: %d findings, %d of them the engine's", column, all, counted[column])
		}
	}
	golden.Equal(t, "findings.md", whoFinds+table.String())
}

var ruleID = regexp.MustCompile(`\((MK\d+)\)$`)

// shownByEngine are the findings in the CLI's diagnostics, as "NAME: FINDING".
func shownByEngine(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	resource := regexp.MustCompile(`^  \S+ \((.+)\):$`)
	name, shown := "", []string(nil)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if match := resource.FindStringSubmatch(line); match != nil {
			name = match[1]
		} else if finding, ok := strings.CutPrefix(line, "    error: "); ok {
			shown = append(shown, name+": "+finding)
		}
	}
	if len(shown) < 12 {
		t.Fatalf("%s has the findings %q", path, shown)
	}
	return shown
}
