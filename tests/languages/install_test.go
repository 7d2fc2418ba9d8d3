package languages

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// installing matches the command in docs/languages.md that installs the plugin.
var installing = regexp.MustCompile(`(?m)^    pulumi (plugin install resource mixedkube (\S+) --file) bin/(\S+)$`)

// TestThePluginIsInstalledFromItsFile runs the command of docs/languages.md with a Pulumi home that does not
// have the lab's link. Then a program in YAML finds the plugin. A program that requires another version gets
// a warning, or an error if the versions are not compatible.
func TestThePluginIsInstalledFromItsFile(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(labtest.Checkout(t), "docs", "languages.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := installing.FindStringSubmatch(string(page))
	if words == nil || words[3] != deploy.Plugin {
		t.Fatalf("docs/languages.md has no command that installs the plugin: %q", words)
	}
	install, version := strings.Fields(words[1]), words[2]
	stack, file := withoutPlugin(t)

	if out, err := run(t.Context(), stack, "preview", "--stack", stack.Name); err == nil {
		t.Fatalf("Pulumi finds the plugin before it is installed:\n%s", out)
	}
	if out, err := run(t.Context(), stack, append(install, file)...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := run(t.Context(), stack, "preview", "--stack", stack.Name)
	if err != nil {
		t.Fatalf("the installed plugin: %v\n%s", err, out)
	}
	labtest.Contains(t, out, "mixedkube:runtimeclass:Set", "kubernetes:node.k8s.io/v1:RuntimeClass")
	if strings.Contains(out, "the program's SDK of mixedkube") {
		t.Errorf("the output reports different versions, but they are the same:\n%s", out)
	}

	t.Run("as another version", func(t *testing.T) {
		output, err := installed(t, stack, install, file, "1.2.3")
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		labtest.Contains(t, output, "warning: "+fmt.Sprintf(mismatch, "1.2.3", version)+
			`what only one of them has does not work: install the plugin 1.2.3 with "pulumi plugin install resource `+
			`mixedkube 1.2.3 --file FILE"`)
	})
	t.Run("as a version that is not compatible with the SDK", func(t *testing.T) {
		if !sample.All() {
			t.Skip("only with make soak: it links a plugin of a release")
		}
		released := filepath.Join(t.TempDir(), deploy.Plugin)
		build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-w -X main.version=0.5.1",
			"-o", released, "./cmd/"+deploy.Plugin)
		build.Dir = filepath.Join(labtest.Checkout(t), tools.PluginModule)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		output, err := installed(t, stack, install, released, "0.4.0")
		if err == nil {
			t.Errorf("Pulumi uses the plugin:\n%s", output)
		}
		labtest.Contains(t, output, fmt.Sprintf(mismatch, "0.4.0", "0.5.1")+"these do not work together: install the "+
			`plugin 0.4.0 with "pulumi plugin install resource mixedkube 0.4.0 --file FILE"`)
	})
}

// mismatch is the beginning of the plugin's message about a program that requires another version.
const mismatch = "the program's SDK of mixedkube has version %s, and the plugin that the engine has found has " +
	"version %s: "

// installed installs the file of a plugin as a version, and returns the output of a preview of a program
// that requires this version.
func installed(t *testing.T, stack *deploy.Stack, install []string, file, version string) (string, error) {
	t.Helper()
	install = slices.Clone(install)
	install[slices.Index(install, "mixedkube")+1] = version
	if out, err := run(t.Context(), stack, append(install, file)...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	writeProgram(t, stack.Project.Dir, version)
	return run(t.Context(), stack, "preview", "--stack", stack.Name)
}

// withoutPlugin returns a stack of a program in YAML whose Pulumi home does not have mixedkube's plugin, and
// the file of that plugin.
func withoutPlugin(t *testing.T) (stack *deploy.Stack, file string) {
	t.Helper()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	dir := t.TempDir()
	writeProgram(t, dir, "")
	stack, err := l.Project(t.Context(), dir, "dev", "")
	if err != nil {
		t.Fatal(err)
	}
	// This creates the home.
	if err := stack.SetSecret(t.Context(), "shop:any", "any"); err != nil {
		t.Fatal(err)
	}
	links, err := filepath.Glob(filepath.Join(stack.Dir, "home", "plugins", "*", deploy.Plugin))
	if err != nil || len(links) != 1 {
		t.Fatalf("the lab links the plugin as %q: %v", links, err)
	}
	if err := os.RemoveAll(filepath.Dir(links[0])); err != nil {
		t.Fatal(err)
	}
	return stack, stack.Program
}

// writeProgram writes a program that has a component, and requires a version of the package unless it is "".
func writeProgram(t *testing.T, dir, version string) {
	t.Helper()
	program := `name: shop
runtime: yaml
resources:
  windows:
    type: mixedkube:runtimeclass:Set
    properties:
      topology:
        pools:
          - {name: sys, platform: linux}
          - {name: win22, platform: windows-2022}
`
	if version != "" {
		program += "    options:\n      version: " + version + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "Pulumi.yaml"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs the CLI for a stack without the lab, as a user at a terminal does.
func run(ctx context.Context, stack *deploy.Stack, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, stack.Tools["pulumi"], args...)
	cmd.Dir, cmd.Env = stack.Project.Dir, stack.Environ()
	out, err := cmd.CombinedOutput()
	return string(out), err
}
