package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestAdoption adopts the guard in a program that is already deployed, with 100 Deployments and a Job with a mistake.
// Each step depends on the previous ones.
func TestAdoption(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	stack := l.project(t, "components/guard/testdata/brownfield", "dev", "")
	check(t, stack.Up(t.Context(), "--skip-preview"))
	known := filepath.Join(t.TempDir(), "known.yaml")
	adopted := "known=" + known

	t.Run("without the file of known findings a preview says how to write it", func(t *testing.T) {
		text, failed := previewOf(t, stack, nil, adopted)
		contains(t, text, `guard: baseline: Invalid value: "`+known+`": there is no such file: write it with `+
			"MIXEDKUBE_BASELINE=write pulumi preview")
		if !failed {
			t.Error("the preview passes")
		}
	})
	t.Run("a preview writes it", func(t *testing.T) {
		text, failed := previewOf(t, stack, []string{"MIXEDKUBE_BASELINE=write"}, adopted)
		contains(t, text, known+" is written: 1 known finding, 1 of them new, 0 removed")
		if failed {
			t.Errorf("the preview fails:\n%s", text)
		}
		content, err := os.ReadFile(known)
		check(t, err)
		contains(t, string(content), "  - resource: kubernetes:batch/v1:Job::migrate\n", "    severity: error\n")
	})
	t.Run("the next preview passes, and the guard changes nothing", func(t *testing.T) {
		text, failed := previewOf(t, stack, nil, adopted)
		contains(t, text, "known in "+known+": 1 error, 0 warnings",
			"ignored: MK105, MK514 of web-*: 6 findings (later)",
			"migrate, web-00, web-40, web-80      → win22 (2 nodes)\n",
			"web-01, web-02, web-03 and 94 others → linux (2 nodes)\n", "102 unchanged")
		if failed || strings.Contains(text, "/bin/sh") {
			t.Errorf("the known finding is shown:\n%s", text)
		}
		check(t, stack.Up(t.Context(), "--skip-preview", "--expect-no-changes", "--config", "brownfield:"+adopted))
	})
	t.Run("a new error fails the preview, and is in the file for code scanning", func(t *testing.T) {
		sarif := filepath.Join(t.TempDir(), "found.sarif")
		text, failed := previewOf(t, stack, []string{"MIXEDKUBE_SARIF=" + sarif}, adopted, "new=true")
		wrong := labtest.ErrorsAt(text)
		if !failed || len(wrong) != 1 || !strings.HasPrefix(wrong[0], "new error: spec.template") {
			t.Errorf("failed: %t, errors: %q\n%s", failed, wrong, text)
		}
		want := []string{"migrate suppressed by known in " + known, "new"}
		if diff := cmp.Diff(want, resultsOf(t, sarif)); diff != "" {
			t.Errorf("results (-want +got):\n%s", diff)
		}
	})
	t.Run("each provider has its cluster", func(t *testing.T) {
		text, failed := previewOf(t, stack, nil, "clusters=true")
		wrong := labtest.ErrorsAt(text)
		if !failed || len(wrong) != 1 || !strings.HasPrefix(wrong[0], "in-dev error: ") {
			t.Errorf("failed: %t, errors: %q\n%s", failed, wrong, text)
		}
		contains(t, text, `where the pods can land in the cluster of the provider "prod":`,
			"in-prod → win22 (2 nodes)")
	})
}

// previewOf returns the output of a preview with additional environment variables and configuration.
func previewOf(t *testing.T, stack *deploy.Stack, environ []string, config ...string) (text string, failed bool) {
	t.Helper()
	args := []string{
		"preview", "--stack", stack.Name, "--config-file", filepath.Join(t.TempDir(), "Pulumi.yaml"),
	}
	content, err := os.ReadFile(filepath.Join(stack.Dir, "Pulumi."+stack.Name+".yaml"))
	check(t, err)
	check(t, os.WriteFile(args[4], content, 0o600)) // the CLI writes the configuration into this file
	for _, c := range config {
		args = append(args, "--config", "brownfield:"+c)
	}
	cmd := exec.CommandContext(t.Context(), stack.Tools["pulumi"], args...)
	cmd.Dir, cmd.Env = stack.Project.Dir, append(stack.Environ(), environ...)
	out, err := cmd.CombinedOutput()
	return string(out), err != nil
}

// resultsOf returns the resources with errors in a file for code scanning, with the justifications of their
// suppressions.
func resultsOf(t *testing.T, file string) []string {
	t.Helper()
	var log struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					LogicalLocations []struct{ Name, FullyQualifiedName string }
				}
				Level        string
				Suppressions []struct{ Justification string }
			}
		}
	}
	content, err := os.ReadFile(file)
	check(t, err)
	check(t, json.Unmarshal(content, &log))
	var names []string
	for _, r := range log.Runs[0].Results {
		at := r.Locations[0]
		if !regexp.MustCompile(`(^|/)Pulumi\.yaml$`).MatchString(at.PhysicalLocation.ArtifactLocation.URI) ||
			!strings.HasPrefix(at.LogicalLocations[0].FullyQualifiedName, "urn:pulumi:dev::brownfield::") {
			t.Errorf("a result is at %+v", at)
		}
		if r.Level != "error" {
			continue
		}
		parts := []string{at.LogicalLocations[0].Name}
		for _, s := range r.Suppressions {
			parts = append(parts, s.Justification)
		}
		names = append(names, strings.Join(parts, " suppressed by "))
	}
	return names
}
