package languages

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// languages are the languages of programs that use the plugin.
var languages = []string{"yaml", "typescript", "python"}

// TestTheShop deploys one program in each language, and then others under the policy pack.
func TestTheShop(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	for _, language := range languages {
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
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	for i, language := range slices.Concat([]string{"go"}, sample.Of(t, languages, 1), []string{"go"}) {
		t.Run(language, func(t *testing.T) {
			l.Out.Take()
			err := l.Up(t.Context(), lab.Options{Stack: "lab-given", Program: language})
			labtest.Available(t, "the stack's program in "+language, err)
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
