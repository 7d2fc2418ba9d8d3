package sdks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/provider"
	"github.com/mixedkube/mixedkube/internal/provider/sdks"
)

// checkout is a directory with the layout of a checkout after make sdks: it has the SDK of a language in the
// directory sdk, and copies of the examples in that language.
type checkout struct {
	root string
	// packed is the package that users install, examples the directories of the examples, and pages those of the other
	// programs in pages.
	packed          string
	examples, pages []string
}

// newCheckout creates a checkout, or skips the test. language is the language of the SDK, and directory has the
// programs in an example.
func newCheckout(t *testing.T, language, dir string) checkout {
	t.Helper()
	c := checkout{root: t.TempDir()}
	plugin, kubernetes := schemas(t)
	license, err := os.ReadFile("../../LICENSE")
	must(t, err)
	files, err := sdks.Generate(language, plugin, kubernetes, license)
	must(t, err)
	sdk := filepath.Join(c.root, "sdk", language)
	must(t, sdks.Write(sdk, files))
	c.packed, err = sdks.Pack(t.Context(), language, sdk)
	if errors.Is(err, sdks.ErrLeftOut) {
		t.Skipf("needs the tools of %s: %v", language, err)
	}
	must(t, err)
	programs, err := filepath.Glob("../../examples/*/" + dir)
	must(t, err)
	for _, program := range programs {
		to := filepath.Join(c.root, "examples", filepath.Base(filepath.Dir(program)), dir)
		copyFiles(t, program, to)
		c.examples = append(c.examples, to)
	}
	const inPages = "../languages/programs"
	programs, err = filepath.Glob(inPages + "/*/*/" + dir)
	must(t, err)
	for _, program := range programs {
		if usesAzureNative(t, program) {
			continue
		}
		name, err := filepath.Rel(inPages, filepath.Dir(program))
		must(t, err)
		to := filepath.Join(c.root, "pages", strings.ReplaceAll(name, string(filepath.Separator), "-"), dir)
		copyFiles(t, program, to)
		c.pages = append(c.pages, to)
	}
	if len(c.examples) < 9 || len(c.pages) < 2 {
		t.Fatalf("the programs are %v and %v, want at least 9 and 2", c.examples, c.pages)
	}
	return c
}

// usesAzureNative reports whether a program uses the SDK of azure-native. It is too large for this package: the engine
// compiles these programs in tests/languages.
func usesAzureNative(t *testing.T, program string) bool {
	t.Helper()
	for _, name := range []string{"index.ts", "__main__.py"} {
		content, err := os.ReadFile(filepath.Join(program, name))
		if err == nil && regexp.MustCompile(`@pulumi/azure-native|pulumi_azure_native`).Match(content) {
			return true
		}
	}
	return false
}

// copyFiles copies the files of a directory without its subdirectories, into which npm and pip install.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.MkdirAll(to, 0o755))
	entries, err := os.ReadDir(from)
	must(t, err)
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, entry.Name()))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(to, entry.Name()), content, 0o644))
	}
}

// schemas returns the schemas of the plugin and of the kubernetes provider.
func schemas(t *testing.T) (plugin, kubernetes []byte) {
	t.Helper()
	plugin, err := provider.Schema(provider.DevelopmentVersion)
	must(t, err)
	kubernetes, err = sdks.KubernetesSchema(t.Context(), "../../internal/lab/tools/pulumi-resource-kubernetes", true)
	must(t, err)
	return plugin, kubernetes
}

// run runs a command in a directory, and returns its output.
func run(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	// With these, the output of the checkers is the same on every machine.
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	return string(bytes.TrimSpace(out)), err
}

// mustRun fails the test if the command fails.
func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := run(t.Context(), dir, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// same fails unless all examples have the same content in a file, except for their names.
func (c checkout) same(t *testing.T, file string) string {
	t.Helper()
	first := ""
	for _, example := range c.examples {
		name := filepath.Base(filepath.Dir(example))
		content, err := os.ReadFile(filepath.Join(example, file))
		must(t, err)
		text := strings.Replace(string(content), `"name": "`+name+`"`, `"name": "NAME"`, 1)
		if first == "" {
			first = text
		} else if text != first {
			t.Errorf("examples/%s: %s differs from that of the other examples:\n%s", name, file, text)
		}
	}
	return first
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
