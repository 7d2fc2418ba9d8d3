package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/packages"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// programNote returns the path of the file with the language of the stack's program.
func (l *Lab) programNote() string { return filepath.Join(l.dir, "program") }

// projectOf returns the directory of the project that deploys a stack by a program in a language. A program in YAML
// is for one stack, because it has neither loops nor conditions.
func (l *Lab) projectOf(config stackconfig.Config, stack, language string) (string, error) {
	if language == tools.Go {
		return filepath.Join(l.tools.Root, filepath.FromSlash(config.Program().Dir())), nil
	}
	if _, err := tools.Runtime(language); err != nil {
		return "", err
	}
	if config.Kubeadm != nil {
		return "", fmt.Errorf("the stack %s creates its cluster on virtual machines: its program is in %s only", stack,
			tools.Go)
	}
	dir := filepath.Join(l.tools.Root, "stacks", language)
	if _, err := os.Stat(filepath.Join(dir, "Pulumi.yaml")); err == nil {
		return dir, nil
	}
	dir = filepath.Join(dir, stack)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		projects, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "Pulumi.yaml"))
		var stacks []string
		for _, file := range projects {
			stacks = append(stacks, filepath.Base(filepath.Dir(file)))
		}
		return "", fmt.Errorf("the stack %s has no program in %s: the stacks %s have one", stack, language,
			strings.Join(stacks, ", "))
	}
	return dir, nil
}

// checkLanguage refuses to continue in another language with a stack that creates its cluster: its resources
// have that cluster's provider, and programs in other languages create their own provider.
func (l *Lab) checkLanguage(config stackconfig.Config, language string) error {
	if running := l.language(); l.stack() != "" && running != language && config.InAzure() {
		return fmt.Errorf("the lab runs the program in %s, which has created the cluster: take it down with `make "+
			"down` before you start the one in %s", running, language)
	}
	return nil
}

// language returns the language of the stack's program.
func (l *Lab) language() string {
	note, err := os.ReadFile(l.programNote())
	if err != nil {
		return tools.Go
	}
	return string(note)
}

// otherLanguage returns what a project in a language other than Go needs: the plugin, and the copy of the project
// with its packages installed.
func (l *Lab) otherLanguage(
	ctx context.Context, p deploy.Project, dir string,
) (plugin string, _ deploy.Project, _ error) {
	commands := filepath.Join(l.tools.Root, filepath.FromSlash(tools.PluginModule), "cmd")
	plugin, err := l.tools.Executable(ctx, filepath.Join(commands, deploy.Plugin))
	if err != nil || p.Runtime == "yaml" {
		return plugin, p, err
	}
	generator, err := l.tools.Executable(ctx, filepath.Join(commands, "generate-sdks"))
	if err != nil {
		return "", p, err
	}
	installer := packages.Installer{
		Dir: filepath.Join(filepath.Dir(l.tools.Dir), "packages"), Version: generator, Out: l.out,
		SDKs: func(ctx context.Context, dir string) error {
			if err := packages.Run(ctx, filepath.Dir(commands), generator, "-out", dir); err != nil {
				return err
			}
			// The sources of the packed SDKs take a lot of space.
			return errors.Join(os.RemoveAll(filepath.Join(dir, "nodejs")), os.RemoveAll(filepath.Join(dir, "python")))
		},
	}
	source := p.Dir
	p.Dir = filepath.Join(dir, "program")
	return plugin, p, installer.Ready(ctx, string(p.Runtime), source, p.Dir)
}
