package azuresim

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/mixedkube/mixedkube"

// The lab uses the simulated Azure, not the other way around. Packages that simulate Azure itself, rather than a Pulumi
// plugin, do not import Pulumi.
func TestForbiddenImports(t *testing.T) {
	t.Parallel()
	watch(t)
	for _, c := range []struct {
		args []string
		// known are imports that must be found, which shows that the list is complete. banned are imports that must not
		// occur.
		known  string
		banned []string
	}{
		{
			[]string{"-test", "./..."},
			module + "/core/topology",
			[]string{module + "/internal/lab", module + "/tests", "k8s.io/kubernetes", "sigs.k8s.io/kwok"},
		},
		{
			[]string{"./arm", "./armclient", "./azcli", "./machine", "./apiserver"},
			module + "/machines/bootstrap",
			[]string{"github.com/pulumi"},
		},
	} {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps"}, c.args...)...)
		var report strings.Builder
		cmd.Stderr = &report
		listed, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &report)
		}
		found := false
		for path := range strings.Lines(string(listed)) {
			path = strings.TrimSpace(path)
			found = found || path == c.known
			for _, banned := range c.banned {
				if path == banned || strings.HasPrefix(path, banned+"/") {
					t.Errorf("a package of %v imports %s", c.args, path)
				}
			}
		}
		if !found {
			t.Errorf("go list says nothing about %s:\n%s", c.known, listed)
		}
	}
}

// watch reads the directories that `go list` reads: Go caches a test result until something that the test itself has
// opened changes.
func watch(t *testing.T) {
	t.Helper()
	if err := filepath.WalkDir(".", func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
		t.Fatal(err)
	}
}
