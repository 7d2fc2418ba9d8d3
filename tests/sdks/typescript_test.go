package sdks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/provider"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestTypeScript installs the packed SDK in an example as its users do, and checks all examples, programs in
// pages and programs with mistakes in one run of the compiler, as reading kubernetes' types takes most of its time.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	c := newCheckout(t, "nodejs", "typescript")
	first := c.examples[0]
	wrong := filepath.Join(c.root, "wrong")
	copyFiles(t, "testdata/typescript", wrong)
	c.same(t, "package.json")
	c.same(t, "tsconfig.json")
	mustRun(t, first, "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts",
		"--prefer-offline", "--loglevel=error")
	t.Run("package", func(t *testing.T) { testNodePackage(t, first) })

	files := []string{}
	for _, dir := range slices.Concat(c.examples, c.pages, []string{wrong}) {
		if dir != first {
			must(t, os.Symlink(filepath.Join(first, "node_modules"), filepath.Join(dir, "node_modules")))
		}
		programs, err := filepath.Glob(filepath.Join(dir, "*.ts"))
		must(t, err)
		for _, program := range programs {
			files = append(files, fmt.Sprintf("%q", program))
		}
	}
	config := fmt.Sprintf(`{"extends": %q, "compilerOptions": {"noEmit": true}, "files": [%s]}`,
		filepath.Join(first, "tsconfig.json"), strings.Join(files, ", "))
	must(t, os.WriteFile(filepath.Join(c.root, "tsconfig.json"), []byte(config), 0o644))
	compiler := filepath.Join(first, "node_modules", "typescript", "bin", "tsc")
	// The compiler fails because of the mistakes.
	output, _ := run(t.Context(), c.root, "node", compiler, "--project", ".", "--pretty", "false")
	golden.Equal(t, "testdata/typescript.txt", output+"\n")
}

// testNodePackage checks the files of the installed package, and loads it.
func testNodePackage(t *testing.T, project string) {
	t.Helper()
	t.Parallel()
	for _, file := range []string{"README.md", "LICENSE", "index.js", "index.d.ts", "workload/deployment.d.ts"} {
		if _, err := os.Stat(filepath.Join(project, "node_modules", "@mixedkube", "mixedkube", file)); err != nil {
			t.Error(err)
		}
	}
	got := mustRun(t, project, "node", "--print", `const m = require("@mixedkube/mixedkube");`+
		`[m.workload.Deployment.name, m.platform.Platform.WindowsServer2022,`+
		` require("@mixedkube/mixedkube/utilities").getVersion()].join()`)
	if want := "Deployment,windows-2022," + provider.DevelopmentVersion; got != want {
		t.Errorf("the package has %s, want %s", got, want)
	}
}
