package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Program is a program of the checkout, or several of one module.
type Program struct {
	// Name is what messages call it.
	Name string
	// Dir is the folder of its module, below the checkout's root.
	Dir string
	// Packages are its main packages, relative to Dir.
	Packages []string
}

// labModule is the folder of the lab's own module.
const labModule = "internal/lab"

// Lab are the commands of the lab's own module.
func Lab() Program {
	return Program{Name: "the lab", Dir: labModule, Packages: []string{"./cmd/..."}}
}

// StackProgram is the program that deploys a stack of the checkout. A stack on virtual
// machines has one of its own, because of what that takes to compile.
func (c *Cache) StackProgram(stack string) (Program, error) {
	var file struct {
		Config map[string]any
	}
	content, err := os.ReadFile(filepath.Join(c.Root, "stacks", "Pulumi."+stack+".yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		// The lab says which stacks there are.
		return StackProgram("stacks"), nil
	}
	if err == nil {
		err = yaml.Unmarshal(content, &file)
	}
	if err != nil {
		return Program{}, fmt.Errorf("stack %s: %w", stack, err)
	}
	if _, onMachines := file.Config["mixedkube:kubeadm"]; onMachines {
		return StackProgram("stacks/kubeadm"), nil
	}
	return StackProgram("stacks"), nil
}

// StackProgram is the program in a folder of the root module.
func StackProgram(folder string) Program {
	return Program{Name: "the stack's program", Dir: ".", Packages: []string{"./" + folder}}
}

// Executable builds a program of one package, as it is in the checkout. Go keeps the
// result in its own cache, and knows when it is out of date: the module's go.mod has a
// line for it as a tool.
func (c *Cache) Executable(ctx context.Context, p Program) (string, error) {
	return c.executable(ctx, p.Dir, modulePath+"/"+strings.TrimPrefix(p.Packages[0], "./"))
}

func (c *Cache) executable(ctx context.Context, dir, tool string) (string, error) {
	compiler := lookPath(c.environ, "go")
	if compiler == "" {
		return "", fmt.Errorf("build %s: go is not on PATH: install Go", tool)
	}
	b := c.newCompilation(compiler, Program{Name: tool, Dir: dir})
	if b.prepare(ctx, false); b.failed != nil {
		return "", b.failed
	}
	path, err := b.cmd.run(ctx, "tool", "-n", tool)
	if err != nil {
		return "", fmt.Errorf("build %s: %w", tool, err)
	}
	return path, nil
}

// newCompilation is the compilation of a program, with the flags of the tools.
func (c *Cache) newCompilation(compiler string, p Program) *build {
	return &build{
		name: p.Name, cache: c, ready: make(chan struct{}), gowork: "GOWORK=off", packages: p.Packages,
		cmd: goCommand{path: compiler, dir: filepath.Join(c.Root, filepath.FromSlash(p.Dir)), environ: c.environ},
	}
}

// compile compiles a program's packages. It says how far it is only if there is
// something to compile.
func (b *build) compile(ctx context.Context) error {
	cmd := b.cmd
	cmd.line = func(line string) bool {
		if b.plan.packages == nil && !strings.Contains(line, " ") && b.list(ctx) != nil {
			return false
		}
		return b.compiling(line)
	}
	_, err := cmd.run(ctx, slices.Concat([]string{"list", "-export", "-v", "-f", ""}, b.packages)...)
	b.watch.end(b.plan)
	return err
}
