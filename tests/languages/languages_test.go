package languages

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/packages"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// all makes the tests run each program in each language, which takes minutes.
var all = flag.Bool("all", false, "run each program in each language")

// started returns a lab with a cluster.
func started(t *testing.T) labtest.Lab {
	t.Helper()
	l := labtest.New(t)
	if err := l.Start(t.Context(), lab.Options{Stack: "lab-given"}); err != nil {
		t.Fatal(err)
	}
	return l
}

// pins are the files that pin the packages of a program. All programs here use the files of the stacks.
var pins = map[string][]string{
	"typescript": {"package.json", "package-lock.json", "tsconfig.json"},
	"python":     {"requirements.txt"},
}

// withPins returns a copy of a program's folder, which is named after the language, with the pins.
func withPins(t *testing.T, dir string) string {
	t.Helper()
	language := filepath.Base(dir)
	target := filepath.Join(t.TempDir(), language)
	if err := os.CopyFS(target, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range pins[language] {
		content, err := os.ReadFile(filepath.Join(labtest.Checkout(t), "stacks", language, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(target, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

// available skips the test if the packages of a program are not available. Any other error fails it.
func available(t *testing.T, leftOut string, err error) {
	t.Helper()
	if unavailable, ok := errors.AsType[packages.UnavailableError](err); ok {
		t.Skipf("%s is left out: %v", leftOut, unavailable)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheShop deploys one program in each language, and then others under the policy pack. Without -all, it runs
// only the programs in YAML.
func TestTheShop(t *testing.T) {
	t.Parallel()
	l := started(t)
	for _, language := range []string{"yaml", "typescript", "python"} {
		if language != "yaml" && !*all {
			continue
		}
		t.Run(language, func(t *testing.T) {
			testShop(t, newShop(t, l, filepath.Join("programs", "shop", language)))
		})
	}
	// The lab is empty again.
	t.Run("under the policy pack", func(t *testing.T) { underPack(t, l) })
}

// TestTheStackContinuesInAnotherLanguage deploys the lab's stack with its program in Go and then with the others.
// They change nothing, as all of them have the same resources.
func TestTheStackContinuesInAnotherLanguage(t *testing.T) {
	t.Parallel()
	l := started(t)
	for i, language := range []string{"go", "yaml", "typescript", "python", "go"} {
		if !*all && !slices.Contains([]string{"go", "yaml"}, language) {
			continue
		}
		t.Run(language, func(t *testing.T) {
			l.Out.Take()
			err := l.Up(t.Context(), lab.Options{Stack: "lab-given", Program: language})
			available(t, "the stack's program in "+language, err)
			output := l.Out.Take()
			labtest.Contains(t, output, "iis-2019", "windows   10.0.17763", "linux-web")
			// Both the preview and the update print it.
			const unchanged = "Resources:\n    15 unchanged\n"
			if i > 0 && strings.Count(output, unchanged) != 2 {
				t.Errorf("the program in %s changes something:\n%s", language, output)
			}
		})
	}
}
