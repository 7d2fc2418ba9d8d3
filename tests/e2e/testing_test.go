package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// testedByAutomation runs the test in docs/testing.md for the Automation API, in the environment of a stack.
func testedByAutomation(t *testing.T, l testLab) {
	t.Helper()
	stack := l.project(t, "examples/tested-shop", "dev", "")
	// This preview prepares Pulumi's directories, with its plugins.
	check(t, stack.Preview(t.Context()))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-ldflags=-w", "-count=1", "-v",
		"-run", "^TestWithTheAutomationAPI$", "./examples/tested-shop")
	cmd.Dir = checkout(t)
	cmd.Env = append(stack.Environ(),
		"PATH="+filepath.Dir(stack.Tools["pulumi"])+string(os.PathListSeparator)+os.Getenv("PATH"))
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	contains(t, string(text), "--- PASS: TestWithTheAutomationAPI")
}
