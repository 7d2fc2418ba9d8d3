package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// programs builds each program once, whichever tests deploy it and however often: a
// function by folder, which returns the path of the built program.
var programs sync.Map

// building is held while a program is built: two builds at once would both compile what
// the programs have in common.
var building sync.Mutex

// program is the built program of a folder of the checkout.
func program(t *testing.T, folder string) string {
	t.Helper()
	build, _ := programs.LoadOrStore(folder, sync.OnceValues(func() (string, error) { return buildProgram(folder) }))
	path, err := build.(func() (string, error))()
	check(t, err)
	return path
}

// buildProgram builds the program of a folder where `go run` does: in Go's own cache, which
// keeps it, and knows when it is out of date.
func buildProgram(folder string) (string, error) {
	building.Lock()
	defer building.Unlock()
	// One that is new is shown where it was linked. Once the first run has ended, it is gone
	// from there and in the cache.
	for range 2 {
		cmd := exec.Command("go", "run", "-exec", "echo", ".")
		cmd.Dir = folder
		var failure strings.Builder
		cmd.Stderr = &failure
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", folder, err, failure.String())
		}
		path := strings.TrimSpace(string(out))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("go does not keep the program of %s in its cache", folder)
}

// project is a stack of a Pulumi project of the checkout, whose program is built once for
// all tests; config is its configuration file, "" for none.
func (l testLab) project(t *testing.T, project, stack, config string) *deploy.Stack {
	t.Helper()
	s, err := l.Project(t.Context(), filepath.Join(checkout(t), filepath.FromSlash(project)), stack, config)
	check(t, err)
	return prebuilt(t, s)
}

// deployment is the lab's own stack, whose program is built once for all tests.
func (l testLab) deployment(t *testing.T) *deploy.Stack {
	t.Helper()
	s, err := l.Deployment(t.Context())
	check(t, err)
	return prebuilt(t, s)
}

func prebuilt(t *testing.T, s *deploy.Stack) *deploy.Stack {
	t.Helper()
	definition, err := os.ReadFile(filepath.Join(s.Project, "Pulumi.yaml"))
	check(t, err)
	var project struct {
		Main string `json:"main"`
	}
	check(t, yaml.Unmarshal(definition, &project))
	s.Program = program(t, filepath.Join(s.Project, filepath.FromSlash(project.Main)))
	return s
}
