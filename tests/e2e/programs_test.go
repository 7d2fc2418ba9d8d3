package e2e

import (
	"path/filepath"
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
