package deploy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// Tools returns the names of the tools that a [Stack] of the project needs.
func (p Project) Tools() []string {
	return []string{"pulumi", tools.LanguageHost(string(p.Runtime)), kubernetesPlugin}
}

const (
	kubernetesPlugin = "pulumi-resource-kubernetes"
	// Plugin serves the components to programs in languages other than Go.
	Plugin = "pulumi-resource-mixedkube"
	// pluginVersion is the version of a plugin that is built in the checkout.
	pluginVersion = "v0.0.0-dev"
)

// ErrCutOff means that the CLI was killed, and has not saved its state.
var ErrCutOff = errors.New("pulumi was cut off")

// Stack is a stack of a Pulumi project, with everything that Pulumi stores for
// it.
type Stack struct {
	// Name is the name of the stack, lab for example.
	Name string
	// Project is the project whose stack it is.
	Project Project
	// Config is the stack's configuration file; "" if it has none.
	Config string
	// Program is the path of what is built for the project: its program in Go, or else the [Plugin].
	Program string
	// Dir has the files of Pulumi. The stack owns everything in it.
	Dir string
	// LabID identifies Pulumi's processes.
	LabID string
	// Kubeconfig is the cluster that the stack is deployed to.
	Kubeconfig string
	// Azure is where the stack creates that cluster; nil if the cluster exists before.
	Azure *Azure
	// Tools maps the names of [Project.Tools] to paths.
	Tools map[string]string
	// Version returns the version that a tool is pinned to, v4.25.0 for example.
	Version func(tool string) (string, error)
	// Out gets what the CLI prints.
	Out io.Writer
	// Background runs while Pulumi runs, until its context is done; nil if there is nothing to run.
	Background func(ctx context.Context)
	// Environment is added to the environment of Pulumi, and takes precedence over its other variables.
	Environment []string
}

// Up deploys the stack, with the preview before it. More arguments go to
// `pulumi up`.
func (s Stack) Up(ctx context.Context, args ...string) error {
	return s.run(ctx, append([]string{"up", "--yes"}, args...)...)
}

// Preview shows what Up would do. More arguments go to `pulumi preview`.
func (s Stack) Preview(ctx context.Context, args ...string) error {
	return s.run(ctx, append([]string{"preview"}, args...)...)
}

// Destroy removes everything that the stack has deployed. More arguments go to
// `pulumi destroy`.
func (s Stack) Destroy(ctx context.Context, args ...string) error {
	return s.run(ctx, append([]string{"destroy", "--yes"}, args...)...)
}

// Import puts a resource that exists into the state. The arguments go to
// `pulumi import`.
func (s Stack) Import(ctx context.Context, args ...string) error {
	return s.run(ctx, append([]string{"import", "--yes"}, args...)...)
}

// Export writes the state into a file, with its secrets.
func (s Stack) Export(ctx context.Context, file string) error {
	return s.pulumi(ctx, nil, s.Out, "stack", "export", "--stack", s.Name, "--show-secrets", "--file", file)
}

// Restore replaces the state of the stack by one in a file, as Export or `pulumi stack export` writes it. The project
// and the stack of the file must have the same names.
func (s Stack) Restore(ctx context.Context, file string) error {
	if _, err := s.own(ctx); err != nil { // creates the stack
		return err
	}
	return s.pulumi(ctx, nil, s.Out, "stack", "import", "--stack", s.Name, "--cwd", s.initDir(), "--file", file)
}

func (s Stack) run(ctx context.Context, args ...string) error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.refreshConfig(ctx); err != nil {
		return err
	}
	args = append(args, "--stack", s.Name, "--config-file", s.configFile())
	if s.Background != nil {
		background, end := context.WithCancel(ctx)
		var running sync.WaitGroup
		running.Go(func() { s.Background(background) })
		defer running.Wait()
		defer end()
	}
	if err := s.pulumi(ctx, nil, s.Out, args...); err != nil {
		return fmt.Errorf("pulumi %s: %w", args[0], err)
	}
	return nil
}

func (s Stack) configFile() string { return filepath.Join(s.Dir, "Pulumi."+s.Name+".yaml") }
func (s Stack) passphrase() string { return filepath.Join(s.Dir, "passphrase") }
func (s Stack) home() string       { return filepath.Join(s.Dir, "home") }
func (s Stack) backend() string    { return filepath.Join(s.Dir, "state") }
func (s Stack) temp() string       { return filepath.Join(s.Dir, "tmp") }

// pluginPlace returns where Pulumi looks for one of the tools, below the stack's directory.
func (s Stack) pluginPlace(tool string) (string, error) {
	version, err := s.Version(tool)
	return pluginPlace(tool, version), err
}

func pluginPlace(name, version string) string {
	return filepath.Join("home", "plugins", strings.TrimPrefix(name, "pulumi-")+"-"+version, name)
}

// hostFlags returns the flags that the lab passes to the language host. A program in Go is already built: without
// the flag, the host would build it before each run. The engine passes the project's virtual environment only to
// newer hosts of Python.
func (s Stack) hostFlags() []string {
	switch s.Project.Runtime {
	case goRuntime:
		return []string{"-binary", s.Program}
	case "python":
		return []string{"-virtualenv", filepath.Join(s.Project.Dir, "venv")}
	default:
		return nil
	}
}

// writeHost puts the language host into its place, with the flags that it needs.
func (s Stack) writeHost(host, place string) error {
	path := filepath.Join(s.Dir, place)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	words := []string{quoted(host)}
	for _, flag := range s.hostFlags() {
		words = append(words, quoted(flag))
	}
	return executable.Write(path, []byte("#!/bin/sh\nexec "+strings.Join(words, " ")+" \"$@\"\n"), 0o700)
}

// quoted returns a text as a word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// prepare creates the directories, the passphrase and the plugins.
func (s Stack) prepare() error {
	if err := os.MkdirAll(s.temp(), 0o700); err != nil {
		return err
	}
	// Plugins are where Pulumi itself would have installed them. A plugin on PATH is
	// not used: Pulumi would take it regardless of its version.
	name := tools.LanguageHost(string(s.Project.Runtime))
	host, err := s.pluginPlace(name)
	if err != nil {
		return err
	}
	kubernetes, err := s.pluginPlace(kubernetesPlugin)
	if err != nil {
		return err
	}
	links := map[string]string{kubernetes: s.Tools[kubernetesPlugin]}
	if err := s.writeHost(s.Tools[name], host); err != nil {
		return err
	}
	if !s.Project.InGo() {
		links[pluginPlace(Plugin, pluginVersion)] = s.Program
	}
	if s.Azure != nil {
		maps.Copy(links, s.Azure.links())
	}
	for _, place := range slices.Sorted(maps.Keys(links)) {
		if err := replaceLink(links[place], filepath.Join(s.Dir, place)); err != nil {
			return err
		}
	}
	if _, err := os.Stat(s.passphrase()); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(s.passphrase(), []byte(rand.Text()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (s Stack) pulumi(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	proxy, stop, err := s.Azure.startProxy(ctx)
	if err != nil {
		return err
	}
	// Stop the proxy only after the CLI has ended: an interrupted CLI first finishes its current operations.
	defer stop()
	cmd := exec.CommandContext(ctx, s.Tools["pulumi"], args...)
	cmd.Dir = s.Project.Dir
	cmd.Env = append(s.Environ(), proxy...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	// An interrupted CLI saves its state before it ends, but a CLI that is
	// interrupted twice does not. In its own session it receives only the
	// signal from here, and not the one of the terminal as well.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && !exit.Exited() {
		return fmt.Errorf("%w: %w", ErrCutOff, err)
	}
	return err
}

// Environ returns the environment in which Pulumi works on the stack. It has no settings of
// the user's own Pulumi.
func (s Stack) Environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "PULUMI_") || name == "KUBECONFIG"
	})
	env = append(env,
		processes.Mark(s.LabID),
		"KUBECONFIG="+s.Kubeconfig,
		// Temporary files are deleted with the stack.
		"TMPDIR="+s.temp(),
		"PULUMI_HOME="+s.home(),
		"PULUMI_BACKEND_URL=file://"+filepath.ToSlash(s.backend()),
		"PULUMI_CONFIG_PASSPHRASE_FILE="+s.passphrase(),
		"PULUMI_SKIP_UPDATE_CHECK=true",
		// This enables the flag --event-log.
		"PULUMI_DEBUG_COMMANDS=true",
		"PULUMI_IGNORE_AMBIENT_PLUGINS=true",
		// Pulumi must not download missing plugins.
		"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true",
	)
	if s.Azure != nil {
		env = append(env, s.Azure.environ(s)...)
	}
	return append(env, s.Environment...) // the last entry with a name takes precedence
}

func replaceLink(target, link string) error {
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return err
	}
	if old, err := os.Readlink(link); err == nil && old == target {
		return nil
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Symlink(target, link)
}
