package structure

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// tableFile is the table of kinds that preflight knows.
const tableFile = "../../core/preflight/internal/structure/table.txt"

// older are releases of versions that have no oracle anymore, because Kubernetes does not support them. The table still
// has them: AKS supports some for two years.
var older = []string{"v1.34.4"}

// TestGeneratedTable writes the table of the kinds that the known versions of Kubernetes serve, with all their fields
// and types, from the OpenAPI descriptions in the modules of their releases: the older ones, and those from which the
// oracles are built.
func TestGeneratedTable(t *testing.T) {
	t.Parallel()
	var all generated
	for _, release := range slices.Concat(older, judged(t)) {
		if err := all.add(release, openAPI(t, release)); err != nil {
			t.Fatalf("%s: %v", release, err)
		}
	}
	golden.Equal(t, tableFile, string(all.text()))
}

// judged returns the releases from which the oracles are built, the oldest first.
func judged(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	check(t, err)
	cache, err := tools.FromRoot(root, t.Output())
	check(t, err)
	var releases []string
	for _, oracle := range tools.Oracles() {
		release, err := cache.Pinned(oracle)
		check(t, err)
		releases = append(releases, release)
	}
	return releases
}

// openAPI reads the description in the module of a release.
func openAPI(t *testing.T, release string) *description {
	t.Helper()
	var d description
	check(t, json.Unmarshal(inModule(t, release, "api/openapi-spec/swagger.json"), &d))
	return &d
}

// inModule reads a file of the module of a release.
func inModule(t *testing.T, release, file string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "k8s.io/kubernetes@"+release)
	cmd.Stderr = t.Output()
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod download k8s.io/kubernetes@%s: %v\n%s", release, err, output)
	}
	var module struct{ Dir string }
	check(t, json.Unmarshal(output, &module))
	content, err := os.ReadFile(filepath.Join(module.Dir, filepath.FromSlash(file)))
	check(t, err)
	return content
}
