package languages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// networkExamples are the examples that install a network, with their configuration: the paths of stand-ins for the
// charts and manifests of its publisher.
var networkExamples = map[string]map[string]string{
	"calico": {"chart": "testdata/tigera-operator"},
	"antrea": {"chart": "testdata/antrea", "windows": "testdata/antrea-windows.yml"},
}

// TestExamplesOfNetworks previews the examples that install a network. The programs in all languages register the same
// resources with the same inputs, so that Calico and Antrea get the same settings. Without -all, it runs the
// programs in Go and one other language.
func TestExamplesOfNetworks(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	for name, paths := range networkExamples {
		example := filepath.Join(labtest.Checkout(t), "examples", name)
		var config strings.Builder
		config.WriteString("config:\n")
		for key, path := range paths {
			config.WriteString("  " + name + ":" + key + ": " + filepath.Join(example, path) + "\n")
		}
		file := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
		if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			var want map[string]any
			for _, language := range append([]string{"go"}, sample.Of(t, languages, 1)...) {
				t.Run(language, func(t *testing.T) {
					dir := example
					if language != "go" {
						dir = labtest.WithPins(t, filepath.Join(example, language), language)
					}
					stack, err := l.Project(t.Context(), dir, "dev", file)
					labtest.Available(t, "the program in "+language, err)
					got := previewed(t, stack)
					if want == nil {
						want = got
					}
					if len(got) < 6 {
						t.Errorf("the preview has %d resources, want at least 6", len(got))
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("resources (-go +%s):\n%s", language, diff)
					}
				})
			}
		})
	}
}
