package architecture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// partsOf returns the parts of the matrix of a job.
func partsOf(t *testing.T, workflow, job string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, ".github", "workflows", workflow))
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		Jobs map[string]struct {
			Strategy struct {
				Matrix struct {
					Part []string `json:"part"`
				} `json:"matrix"`
			} `json:"strategy"`
		} `json:"jobs"`
	}
	if err := yaml.Unmarshal(content, &w); err != nil {
		t.Fatal(err)
	}
	parts := w.Jobs[job].Strategy.Matrix.Part
	if len(parts) == 0 {
		t.Fatalf("the job %s of %s has no parts", job, workflow)
	}
	return parts
}

// made returns the lines that make would run.
func made(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory", "--dry-run"}, args...)...)
	cmd.Dir = root
	// A make above passes on its variables.
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("make --dry-run %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// TestSoakRunsEachPart compares the jobs of the scheduled workflow with the target of the Makefile.
func TestSoakRunsEachPart(t *testing.T) {
	t.Parallel()
	var parts strings.Builder
	for _, part := range partsOf(t, "soak.yml", "soak") {
		parts.WriteString(made(t, "soak-"+part))
	}
	if diff := cmp.Diff(made(t, "soak"), parts.String()); diff != "" {
		t.Errorf("the commands (-make soak +the jobs):\n%s", diff)
	}
}

// TestEachEndToEndPackageIsInOneJob compares the packages of the parts in the workflow with those of make e2e.
func TestEachEndToEndPackageIsInOneJob(t *testing.T) {
	t.Parallel()
	list := func(part string) []string {
		commands := made(t, "e2e", "E2E="+part)
		_, packages, found := strings.Cut(commands, " -count=1 ")
		if !found {
			t.Fatalf("make e2e E2E=%s runs %s", part, commands)
		}
		packages, _, _ = strings.Cut(packages, " #")
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "go -C tests list "+packages)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.Fields(string(out))
	}
	var parts []string
	for _, part := range partsOf(t, "ci.yml", "e2e") {
		parts = append(parts, list(part)...)
	}
	all := list("all")
	slices.Sort(all)
	slices.Sort(parts)
	if diff := cmp.Diff(all, parts); diff != "" {
		t.Errorf("the packages (-make e2e +the jobs):\n%s", diff)
	}
}
