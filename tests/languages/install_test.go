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

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// installing is how docs/languages.md has the plugin installed.
var installing = regexp.MustCompile(`(?m)^    pulumi (plugin install resource mixedkube (\S+) --file) bin/(\S+)$`)

// TestThePluginIsInstalledFromItsFile does what docs/languages.md says, in a home of Pulumi without the link
// of the lab. Then a program in YAML finds the plugin; one that wants another version than the plugin's is
// told so, and does not continue where the versions promise nothing to each other.
func TestThePluginIsInstalledFromItsFile(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(labtest.Checkout(t), "docs", "languages.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := installing.FindStringSubmatch(string(page))
	if words == nil || words[3] != deploy.Plugin {
		t.Fatalf("docs/languages.md does not say how to install the plugin: %q", words)
	}
	install, version := strings.Fields(words[1]), words[2]
	stack, file := withoutPlugin(t)

	if out, err := run(t.Context(), stack, "preview", "--stack", stack.Name); err == nil {
		t.Fatalf("there is a plugin before it is installed:\n%s", out)
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
		t.Errorf("the versions are the same, and are said to be others:\n%s", out)
	}

	t.Run("as another version", func(t *testing.T) {
		said, err := installed(t, stack, install, file, "1.2.3")
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		labtest.Contains(t, said, "warning: "+fmt.Sprintf(mismatch, "1.2.3", version)+
			`what only one of them has does not work: install the plugin 1.2.3 with "pulumi plugin install resource `+
			`mixedkube 1.2.3 --file FILE"`)
	})
	t.Run("one that promises nothing to the SDK", func(t *testing.T) {
		if !*all {
			t.Skip("a plugin of a release has to be linked: run with -all")
		}
		released := filepath.Join(t.TempDir(), deploy.Plugin)
		build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-w -X main.version=0.5.1",
			"-o", released, "./cmd/"+deploy.Plugin)
		build.Dir = filepath.Join(labtest.Checkout(t), tools.PluginModule)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		said, err := installed(t, stack, install, released, "0.4.0")
		if err == nil {
			t.Errorf("it is used:\n%s", said)
		}
		labtest.Contains(t, said, fmt.Sprintf(mismatch, "0.4.0", "0.5.1")+"these do not work together: install the "+
			`plugin 0.4.0 with "pulumi plugin install resource mixedkube 0.4.0 --file FILE"`)
	})
}

// mismatch is how the plugin begins to say that a program wants another version than it has.
const mismatch = "the program's SDK of mixedkube has version %s, and the plugin that the engine has found has " +
	"version %s: "

// installed is what a preview says of a program that wants a version, as which the file of a plugin is
// installed.
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

// withoutPlugin is a stack of a program in YAML whose home of Pulumi has no plugin of mixedkube, and the file
// of that plugin.
func withoutPlugin(t *testing.T) (stack *deploy.Stack, file string) {
	t.Helper()
	l := started(t)
	dir := t.TempDir()
	writeProgram(t, dir, "")
	stack, err := l.Project(t.Context(), dir, "dev", "")
	if err != nil {
		t.Fatal(err)
	}
	// This makes the home.
	if err := stack.SetSecret(t.Context(), "shop:any", "any"); err != nil {
		t.Fatal(err)
	}
	links, err := filepath.Glob(filepath.Join(stack.Dir, "home", "plugins", "*", deploy.Plugin))
	if err != nil || len(links) != 1 {
		t.Fatalf("the lab has linked the plugin as %q: %v", links, err)
	}
	if err := os.RemoveAll(filepath.Dir(links[0])); err != nil {
		t.Fatal(err)
	}
	return stack, stack.Program
}

// writeProgram writes a program that has a component, of a version of the package if there is one.
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

// run runs the CLI for a stack as somebody at a terminal does, without the lab.
func run(ctx context.Context, stack *deploy.Stack, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, stack.Tools["pulumi"], args...)
	cmd.Dir, cmd.Env = stack.Project.Dir, stack.Environ()
	out, err := cmd.CombinedOutput()
	return string(out), err
}
