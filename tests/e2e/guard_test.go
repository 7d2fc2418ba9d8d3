package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// mistakes is a program with twelve mistakes.
const mistakes = "components/guard/testdata/mistakes"

// TestGuard runs programs with mistakes under the CLI and under the Automation
// API, against one lab.
func TestGuard(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")

	t.Run("the preview of a program with twelve mistakes fails once, and shows all of them", func(t *testing.T) {
		stack := l.project(t, mistakes, "dev", "")
		l.Out.Take()
		err := stack.Preview(t.Context())
		labtest.Failed(t, "the preview", err)
		shown := labtest.Diagnostics(l.Out.Take())
		golden.Equal(t, "testdata/mistakes.golden", ruletest.WithoutSentences(shown))
		rules := []string{
			"MK102", "MK111", "MK118", "MK127", "MK145", "MK201", "MK202", "MK303", "MK306", "MK307", "MK310", "MK402",
		}
		if diff := cmp.Diff(rules, intersect(rules, ruleIDs(shown))); diff != "" {
			t.Errorf("rules with findings (-want +got):\n%s", diff)
		}
	})

	t.Run("an update without a preview creates nothing that is wrong", func(t *testing.T) {
		stack := l.project(t, mistakes, "dev", "")
		l.Out.Take()
		err := stack.Up(t.Context(), "--skip-preview")
		labtest.Failed(t, "the update", err)
		if created := createdObjects(l.Out.Take()); len(created) > 0 {
			t.Errorf("created %q", created)
		}
		if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
			t.Error(err)
		}
	})

	t.Run("a preview shows the wrong arguments of all components", func(t *testing.T) { wrongArguments(t, l) })

	t.Run("the same program corrected passes", func(t *testing.T) {
		config := filepath.Join(t.TempDir(), "Pulumi.right.yaml")
		if err := os.WriteFile(config, []byte("config:\n  mistakes:right: true\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		stack := l.project(t, mistakes, "right", config)
		l.Out.Take()
		if err := stack.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		shown := l.Out.Take()
		if ids := ruleIDs(labtest.Diagnostics(shown)); len(ids) > 0 {
			t.Errorf("rules with findings: %v", ids)
		}
		want := []string{
			"chart:default/agent", "chart:default/shop", "first", "fourth", "group:default/backup",
			"group:default/report",
			"second", "third", "web-deployment",
		}
		if diff := cmp.Diff(want, createdObjects(shown)); diff != "" {
			t.Errorf("created (-want +got):\n%s", diff)
		}
		l.Out.Take()
		if err := l.Status(t.Context()); err != nil {
			t.Error(err)
		}
		if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
			t.Error(err)
		}
	})

	t.Run("an inline program of the Automation API gets the same findings", func(t *testing.T) {
		inline(t, l)
	})
	t.Run("the test of docs/testing.md for the Automation API passes", func(t *testing.T) {
		testedByAutomation(t, l)
	})
	t.Run("a preview finds all mistakes in each way", func(t *testing.T) { guardWays(t, l) })
	t.Run("without it, a chart with mistakes is not deployed", func(t *testing.T) { wrongCharts(t, l) })
}

// inline runs the program of the Automation API in the environment of a stack.
func inline(t *testing.T, l testLab) {
	t.Helper()
	stack := l.project(t, mistakes, "env", "")
	binary := program(t, filepath.Join(checkout(t), "components", "guard", "testdata", "inline"))
	// The preview prepares Pulumi's directories, with its plugins.
	if err := stack.Preview(t.Context()); err == nil {
		t.Fatal("a program with mistakes passes")
	}
	const pod = "urn:pulumi:inline::inline::kubernetes:core/v1:Pod::"
	const found = ": spec.hostPID: … (MK111)"
	environ := append(stack.Environ(),
		"PATH="+filepath.Dir(stack.Tools["pulumi"])+string(os.PathListSeparator)+os.Getenv("PATH"))
	inlineMistakes(t, binary, environ)
	for _, args := range [][]string{nil, {"-up"}} {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Env = environ
		var failure strings.Builder
		cmd.Stderr = &failure
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, failure.String())
		}
		t.Logf("inline %v: %s", args, failure.String())
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		for _, want := range []string{
			pod + "one" + found, pod + "two" + found, "an error", "reported: MK111 of " + pod + "one",
			"reported: MK111 of " + pod + "two",
		} {
			if !slices.ContainsFunc(lines, func(line string) bool {
				return cmp.Equal(strings.TrimSpace(line), want, golden.AnySentence)
			}) {
				t.Errorf("inline %v: %q is missing in:\n%s", args, want, text)
			}
		}
	}
}

// inlineMistakes runs the program with twelve mistakes as an inline program, and compares the findings that the
// Automation API returns with a golden file.
func inlineMistakes(t *testing.T, binary string, environ []string) {
	t.Helper()
	dir := t.TempDir() // the Automation API writes into it
	check(t, os.CopyFS(dir, os.DirFS(filepath.Join(checkout(t), filepath.FromSlash(mistakes)))))
	cmd := exec.CommandContext(t.Context(), binary, "-mistakes", dir)
	cmd.Env, cmd.Dir = environ, dir
	text, err := cmd.Output()
	check(t, err)
	var got []string
	finding := regexp.MustCompile(`(?m)^urn:\S+::(\S+: \S+:) .+ (\(MK\d+\))$`)
	for _, match := range finding.FindAllStringSubmatch(string(text), -1) {
		got = append(got, match[1]+" … "+match[2]+"\n")
	}
	slices.Sort(got)
	golden.Equal(t, "testdata/mistakes.automation.golden", strings.Join(got, ""))
}

var created = regexp.MustCompile(`(?m)^ \+  kubernetes:(?:apps|core|batch)\S+ (\S+) created`)

// createdObjects returns the workloads that the CLI reports as created.
func createdObjects(text string) []string {
	var names []string
	for _, match := range created.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var ruleID = regexp.MustCompile(`\((MK\d+)\)`)

func ruleIDs(text string) []string {
	var ids []string
	for _, match := range ruleID.FindAllStringSubmatch(text, -1) {
		ids = append(ids, match[1])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func intersect(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}
