package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// program builds the program in a directory of the checkout, and returns its path.
func program(t *testing.T, dir string) string {
	t.Helper()
	cache, err := tools.FromRoot(checkout(t), t.Output())
	check(t, err)
	path, err := cache.Executable(t.Context(), dir)
	check(t, err)
	return path
}

// project returns a stack of a Pulumi project in the checkout. config is its configuration file, or "" if there is
// none.
func (l testLab) project(t *testing.T, project, stack, config string) *deploy.Stack {
	t.Helper()
	s, err := l.Project(t.Context(), filepath.Join(checkout(t), filepath.FromSlash(project)), stack, config)
	check(t, err)
	return s
}

// deployment returns the lab's own stack.
func (l testLab) deployment(t *testing.T) *deploy.Stack {
	t.Helper()
	s, err := l.Deployment(t.Context())
	check(t, err)
	return s
}

// killPulumi kills Pulumi and its plugins with SIGKILL, waits until the update has ended, and unlocks the stack.
func (l testLab) killPulumi(t *testing.T, stack *deploy.Stack, ended <-chan error) {
	t.Helper()
	for _, pid := range l.processes(t) {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err == nil && strings.HasPrefix(string(name), "pulumi") {
			check(t, syscall.Kill(pid, syscall.SIGKILL))
		}
	}
	if err := <-ended; err == nil {
		t.Error("the killed update succeeds")
	}
	cmd := exec.CommandContext(t.Context(), stack.Tools["pulumi"], "cancel", "--yes", "--stack", stack.Name)
	cmd.Dir, cmd.Env = stack.Project.Dir, stack.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
