package structure

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// tableFile is the table of kinds that preflight knows.
const tableFile = "../../core/preflight/internal/structure/table.txt"

// TestGeneratedTable writes the table of the kinds that the supported versions of Kubernetes serve,
// with all their fields and types, from the OpenAPI descriptions in the modules of the releases
// from which the oracles are built.
func TestGeneratedTable(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	check(t, err)
	cache, err := tools.FromRoot(root, t.Output())
	check(t, err)
	var all generated
	for _, oracle := range tools.Oracles() {
		release, err := cache.Pinned(oracle)
		check(t, err)
		if err := all.add(release, openAPI(t, release)); err != nil {
			t.Fatalf("%s: %v", release, err)
		}
	}
	golden.Equal(t, tableFile, string(all.text()))
}

// openAPI reads the description in the module of a release.
func openAPI(t *testing.T, release string) *description {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "k8s.io/kubernetes@"+release)
	cmd.Stderr = t.Output()
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod download k8s.io/kubernetes@%s: %v\n%s", release, err, output)
	}
	var module struct{ Dir string }
	check(t, json.Unmarshal(output, &module))
	content, err := os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
	check(t, err)
	var d description
	check(t, json.Unmarshal(content, &d))
	return &d
}
