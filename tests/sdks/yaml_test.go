package sdks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"github.com/mixedkube/mixedkube/internal/provider/sdks"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestYAML checks the examples and programs with mistakes against the schemas.
func TestYAML(t *testing.T) {
	t.Parallel()
	plugin, kubernetes := schemas(t)
	packages := map[string]schema.PackageReference{}
	for _, name := range []string{"mixedkube", "kubernetes"} {
		reference, err := sdks.Loader(plugin, kubernetes).LoadPackageReferenceV2(t.Context(),
			&schema.PackageDescriptor{Name: name})
		must(t, err)
		packages[name] = reference
	}
	examples, err := filepath.Glob("../../examples/*/yaml/Pulumi.yaml")
	must(t, err)
	if len(examples) < 4 {
		t.Fatalf("the examples are %v, want at least 4", examples)
	}
	for _, file := range examples {
		if wrong := checkYAML(t, file, packages); len(wrong) > 0 {
			t.Errorf("%s:\n%s", file, strings.Join(wrong, "\n"))
		}
	}

	programs, err := filepath.Glob("testdata/yaml/*.yaml")
	must(t, err)
	var output strings.Builder
	for _, file := range programs {
		for _, wrong := range checkYAML(t, file, packages) {
			output.WriteString(filepath.Base(file) + ": " + wrong + "\n")
		}
	}
	golden.Equal(t, "testdata/yaml.txt", output.String())
}

func checkYAML(t *testing.T, file string, packages map[string]schema.PackageReference) []string {
	t.Helper()
	source, err := os.ReadFile(file)
	must(t, err)
	wrong, err := check(source, packages)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return wrong
}
