package sdks

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/provider"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// typeChecker is the version of mypy whose messages testdata/python.txt has.
const typeChecker = "mypy==2.4.1"

// TestPython installs the wheel of the SDK in a virtual environment as the users of an example do, and checks all
// examples, programs in pages and programs with mistakes in one run of mypy.
func TestPython(t *testing.T) {
	t.Parallel()
	c := newCheckout(t, "python", "python")
	c.same(t, "requirements.txt")
	python := c.venv(t)
	t.Run("package", func(t *testing.T) {
		t.Parallel()
		got := mustRun(t, c.root, python, "-c", "import mixedkube; from mixedkube import _utilities, platform; "+
			"print(mixedkube.workload.Deployment.__name__, platform.Platform.WINDOWS_SERVER2022.value, "+
			"_utilities.get_version())")
		if want := "Deployment windows-2022 " + provider.DevelopmentVersion; got != want {
			t.Errorf("the package has %q, want %q", got, want)
		}
	})

	// Two modules cannot have the name __main__.
	programs := filepath.Join(c.root, "programs")
	copyFiles(t, "testdata/python", programs)
	for _, example := range append(c.examples, c.pages...) {
		code, err := os.ReadFile(filepath.Join(example, "__main__.py"))
		must(t, err)
		name := strings.ReplaceAll(filepath.Base(filepath.Dir(example)), "-", "_") + ".py"
		must(t, os.WriteFile(filepath.Join(programs, name), code, 0o644))
	}
	cache, err := os.UserCacheDir()
	must(t, err)
	// mypy fails because of the mistakes. Reading kubernetes' types takes most of the time.
	output, _ := run(t.Context(), programs, python, "-m", "mypy", "--hide-error-context", "--no-error-summary",
		"--warn-unused-ignores", "--cache-dir", filepath.Join(cache, "mixedkube", "mypy"), ".")
	var wrong []string
	for line := range strings.Lines(output) {
		// The notes after an error have all signatures of a component.
		if !strings.Contains(line, ": note: ") {
			wrong = append(wrong, strings.TrimSpace(line)+"\n")
		}
	}
	slices.Sort(wrong)
	golden.Equal(t, "testdata/python.txt", strings.Join(wrong, ""))
}

// venv creates a virtual environment with the requirements of an example, and returns the path of its python.
func (c checkout) venv(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(c.root, "venv")
	if out, err := run(t.Context(), c.root, "python3", "-m", "venv", dir); err != nil {
		t.Skipf("needs virtual environments of Python: apt-get install python3-venv, as root\n%s", out)
	}
	python := filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	mustRun(t, c.examples[0], python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile",
		"--requirement", "requirements.txt", typeChecker)
	return python
}
