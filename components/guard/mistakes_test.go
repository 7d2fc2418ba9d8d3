package guard_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/mistakes/program"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const whoFinds = `# Who finds the twelve mistakes

The program of this directory has twelve mistakes, and some of them break more than one rule. TestGuard in
tests/e2e writes what the CLI and the Automation API show; TestFindersOfTheTwelveMistakes runs the program in the
other ways and writes this table.

| rule | resource | CLI | Automation API | mocktest | mocktest with answers |` +
	` SDK's mocks, wrapped | SDK's mocks, not wrapped | why not |
|---|---|---|---|---|---|---|---|---|
`

const whyNot = `
"Rendered": the Kubernetes provider makes these objects from a chart or a group. With helm/v4's Chart and yaml/v2's
ConfigGroup it registers them itself, from a process that only an engine starts, so no mock can answer for it. With
helm/v3's Chart and yaml's ConfigGroup the program gets the objects from the provider with a call and registers them.
"mocktest with answers" is the program with these two: mocktest.Calls answers kubernetes:helm:template and
kubernetes:yaml:decode. The mocks of the SDK can answer the same calls.

"After a refusal": if the program is not wrapped, a component refuses its own mistakes, as without the guard. That
ends the program before these resources are registered. In a wrapped program it leaves them to the guard.
`

// TestFindersOfTheTwelveMistakes writes the table with -update. Each column has exactly the findings that the engine
// shows in tests/e2e.
func TestFindersOfTheTwelveMistakes(t *testing.T) {
	byCLI := shownByCLI(t, "../../tests/e2e/testdata/mistakes.golden")
	text, err := os.ReadFile("../../tests/e2e/testdata/mistakes.automation.golden")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("testdata/mistakes")
	first := pulumi.RunErr(program.Program, pulumi.WithMocks("mistakes", "dev", &echo{}))
	if _, ok := errors.AsType[*rule.FindingError](first); !ok {
		t.Fatalf("not wrapped: %v", first)
	}
	columns := [][]string{
		slices.Collect(strings.Lines(string(text))), underMocktest(t, program.Program), underMocktest(t, rendersObjects,
			mocktest.Calls(renders(t))), wrapped(t), nil,
	}
	counted := make([]int, len(columns))

	var table strings.Builder
	for _, finding := range byCLI {
		name, text, _ := strings.Cut(finding, ": ")
		rendered := strings.Contains(name, ":")
		fmt.Fprintf(&table, "| %s | %s | yes |", ruleID.FindStringSubmatch(text)[1], name)
		for i, column := range columns {
			found := slices.ContainsFunc(column, func(of string) bool {
				return cmp.Equal(short(finding), short(of), golden.AnySentence)
			})
			if i == len(columns)-1 {
				found = !rendered && golden.Contains(first.Error(), text)
			}
			mark := "–"
			if found {
				mark = "yes"
				counted[i]++
			}
			fmt.Fprintf(&table, " %s |", mark)
		}
		reason := ""
		if rendered {
			reason = " rendered"
		} else if !golden.Contains(first.Error(), text) {
			reason = " after a refusal"
		}
		fmt.Fprintf(&table, "%s |\n", reason)
	}
	for i, column := range columns[:len(columns)-1] {
		if counted[i] != len(column) {
			t.Errorf("column %d: %d findings, %d of them the CLI's: %q", i, len(column), counted[i], column)
		}
	}
	if total := strings.Count(first.Error(), "(MK"); counted[len(columns)-1] != total {
		t.Errorf("not wrapped: %d findings, %d of them the CLI's", total, counted[len(columns)-1])
	}
	if counted[0] != len(byCLI) {
		t.Errorf("the Automation API gets %d findings of %d", counted[0], len(byCLI))
	}
	golden.Equal(t, "findings.md", whoFinds+table.String()+whyNot)
}

// short removes the name of a chart or a group in front of the name of the object.
func short(finding string) string {
	name, text, _ := strings.Cut(strings.TrimSuffix(finding, "\n"), ": ")
	return name[strings.LastIndexAny(name, ":/")+1:] + ": " + text
}

func underMocktest(t *testing.T, program pulumi.RunFunc, options ...mocktest.Option) []string {
	t.Helper()
	var found guard.Report
	_, err := mocktest.Run(guard.Program(program, guard.ReportTo(&found)),
		append(options, mocktest.Project("mistakes", "dev"), mocktest.Preview())...)
	if err == nil {
		t.Error("under mocktest the mistakes pass")
	}
	return findings(found)
}

func wrapped(t *testing.T) []string {
	t.Helper()
	var found guard.Report
	err := pulumi.RunErr(guard.Program(program.Program, guard.ReportTo(&found)),
		pulumi.WithMocks("mistakes", "dev", &echo{}))
	if _, ok := errors.AsType[*guard.Error](err); !ok {
		t.Errorf("wrapped: the error is not the guard's: %v", err)
	}
	return findings(found)
}

// rendersObjects returns the program with a chart and a group whose objects the provider renders.
func rendersObjects(ctx *pulumi.Context) error {
	return program.With(ctx, func(ctx *pulumi.Context, _ bool, _ pulumi.ResourceOption) error {
		return errors.Join(chartV3.register(ctx, "chart"), configGroup.register(ctx, "group"))
	})
}

// renders answers those calls like the provider: with the objects of the directory's files.
func renders(t *testing.T) func(mocktest.Call) (resource.PropertyMap, error) {
	t.Helper()
	group, err := os.ReadFile("group.yaml")
	if err != nil {
		t.Fatal(err)
	}
	charts, err := template.New("").Funcs(template.FuncMap{
		"kindIs": func(kind string, value any) bool { return (value == nil) == (kind == "invalid") }, // from Sprig
	}).ParseGlob("chart/templates/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var chart strings.Builder
	for _, file := range charts.Templates() {
		chart.WriteString("---\n")
		if err := file.Execute(&chart, map[string]any{"Values": map[string]any{
			"build": "10.0.26100", "privileged": false, "byClass": true,
		}}); err != nil {
			t.Fatal(err)
		}
	}
	answers := map[string]resource.PropertyMap{
		configGroup.call: decoded(t, string(group)), chartV3.call: decoded(t, chart.String()),
	}
	return func(c mocktest.Call) (resource.PropertyMap, error) { return answers[c.Token], nil }
}

func decoded(t *testing.T, text string) resource.PropertyMap {
	t.Helper()
	var objects []any
	for from := yaml.NewDecoder(strings.NewReader(text)); ; {
		var object map[string]any
		if err := from.Decode(&object); errors.Is(err, io.EOF) {
			return resource.NewPropertyMapFromMap(map[string]any{"result": objects})
		} else if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
}

var ruleID = regexp.MustCompile(`\((MK\d+)\)$`)

// shownByCLI returns the findings in the CLI's diagnostics, as "NAME: FINDING".
func shownByCLI(t *testing.T, path string) []string {
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
