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
	"time"

	"gopkg.in/yaml.v3"
)

// Program is a program of the checkout, or several of one module.
type Program struct {
	// Name is the name of the program in messages.
	Name string
	// Dir is the directory of its module, below the checkout's root.
	Dir string
	// Packages are its main packages, relative to Dir.
	Packages []string
}

// labModule is the directory of the lab's own module.
const labModule = "internal/lab"

// Lab returns the commands of the lab's own module.
func Lab() Program {
	return Program{Name: "the lab", Dir: labModule, Packages: []string{"./cmd/..."}}
}

// ForUp returns the tools and the programs that `make up` needs for a stack that a program in a language deploys.
func (c *Cache) ForUp(stack, language string) (tools []string, programs []Program, err error) {
	runtime, err := Runtime(language)
	if err != nil {
		return nil, nil, err
	}
	if language != Go {
		return append(OfLab(), LanguageHost(runtime)), []Program{Lab(), pluginFor(runtime)}, nil
	}
	program, err := c.stackProgram(stack)
	return OfLab(), []Program{Lab(), program}, err
}

// stackProgram returns the program that deploys a stack of the checkout. A stack on virtual
// machines has its own program, because that takes long to compile.
func (c *Cache) stackProgram(stack string) (Program, error) {
	var file struct {
		Config map[string]any
	}
	content, err := os.ReadFile(filepath.Join(c.Root, "stacks", "Pulumi."+stack+".yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		// The lab itself reports which stacks exist.
		return programIn("stacks"), nil
	}
	if err == nil {
		err = yaml.Unmarshal(content, &file)
	}
	if err != nil {
		return Program{}, fmt.Errorf("stack %s: %w", stack, err)
	}
	if _, onMachines := file.Config["mixedkube:kubeadm"]; onMachines {
		return programIn("stacks/kubeadm"), nil
	}
	return programIn("stacks"), nil
}

func programIn(dir string) Program {
	return Program{Name: "the stack's program", Dir: ".", Packages: []string{"./" + dir}}
}

// StackPrograms returns the programs of all stacks of the checkout.
func StackPrograms() Program {
	return Program{Name: "the stacks' programs", Dir: ".", Packages: []string{"./stacks/..."}}
}

// newCompilation returns the compilation of a program, with the flags of the tools.
func (c *Cache) newCompilation(compiler string, p Program) *build {
	return &build{
		name: p.Name, cache: c, ready: make(chan struct{}), clean: func() {}, gowork: "GOWORK=off",
		packages: p.Packages,
		cmd:      goCommand{path: compiler, dir: filepath.Join(c.Root, filepath.FromSlash(p.Dir)), environ: c.environ},
	}
}

// compile compiles a program's packages. It prints nothing if all of them are already compiled.
func (b *build) compile(ctx context.Context) error {
	cmd, started, compiled := b.cmd, time.Now(), false
	cmd.line = func(line string) bool {
		if b.plan.packages == nil && !strings.Contains(line, " ") && b.planAll() != nil {
			return false
		}
		begun := b.watch.begin(b.plan, line)
		compiled = compiled || begun
		return begun || b.watch.fetching(line)
	}
	if _, err := cmd.run(ctx,
		slices.Concat([]string{"list", "-export", "-v", "-f", ""}, b.flags, b.packages)...); err != nil {
		return err
	}
	b.watch.end(b.plan)
	if compiled {
		b.watch.line("%s: compiled in %s", b.name, duration(time.Since(started)))
	}
	return nil
}
