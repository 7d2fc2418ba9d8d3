package e2e

import (
	"os/exec"
	"testing"
)

// git asks git about the checkout; "" where there is none.
func git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = checkout(t)
	out, _ := cmd.Output()
	return string(out)
}
