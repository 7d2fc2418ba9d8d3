package lab

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// The program that is compiled before the lab's command exists is the program that the lab runs.
func TestProgramOfTheStackIsPrepared(t *testing.T) {
	t.Parallel()
	cache, err := tools.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(cache.Root, "stacks", "Pulumi.*.yaml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("stacks %q, %v", files, err)
	}
	for _, file := range files {
		stack := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "Pulumi."), ".yaml")
		_, programs, err := cache.ForUp(stack, tools.Go)
		if err != nil {
			t.Fatal(err)
		}
		config, err := deploy.ReadStack(filepath.Dir(file), stack)
		if err != nil {
			t.Fatal(err)
		}
		if want := "./" + string(config.Program()); !slices.Equal(programs[1].Packages, []string{want}) {
			t.Errorf("%s: prepares %q, want %s", stack, programs[1].Packages, want)
		}
	}
}
