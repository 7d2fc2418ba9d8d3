package deploy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// Tools are the names of the tools that a [Stack] needs.
func Tools() []string {
	return []string{"pulumi", languageHost, kubernetesPlugin}
}

const (
	languageHost     = "pulumi-language-go"
	kubernetesPlugin = "pulumi-resource-kubernetes"
)

// ErrCutOff says that the CLI was ended by force, and has not saved its state.
var ErrCutOff = errors.New("pulumi was cut off")

// Stack is a stack of a Pulumi project, with everything that Pulumi keeps for
// it.
type Stack struct {
	// Name is the stack's, lab for example.
	Name string
	// Project is the folder of the project's Pulumi.yaml.
	Project string
	// Config is the stack's configuration file; "" if it has none.
	Config string
	// Dir holds what Pulumi keeps. The stack owns everything in it.
	Dir string
	// LabID is the ID by which Pulumi's processes are known.
	LabID string
	// Kubeconfig is the cluster that the stack is deployed to.
	Kubeconfig string
	// Tools maps the names of [Tools] to paths.
	Tools map[string]string
	// Version says which version a tool is pinned to, v4.25.0 for example.
	Version func(tool string) (string, error)
	// Out gets what the CLI prints.
	Out io.Writer
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

// Destroy removes everything that the stack has deployed.
func (s Stack) Destroy(ctx context.Context) error {
	return s.run(ctx, "destroy", "--yes")
}

func (s Stack) run(ctx context.Context, args ...string) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	args = append(args, "--stack", s.Name, "--config-file", s.configFile())
	if err := s.pulumi(ctx, s.Out, args...); err != nil {
		return fmt.Errorf("pulumi %s: %w", args[0], err)
	}
	return nil
}

func (s Stack) configFile() string { return filepath.Join(s.Dir, "Pulumi."+s.Name+".yaml") }
func (s Stack) passphrase() string { return filepath.Join(s.Dir, "passphrase") }
func (s Stack) home() string       { return filepath.Join(s.Dir, "home") }
func (s Stack) backend() string    { return filepath.Join(s.Dir, "state") }
func (s Stack) temp() string       { return filepath.Join(s.Dir, "tmp") }

// prepare makes the folders, the passphrase and the plugin, takes a fresh copy
// of the configuration, and creates the stack.
func (s Stack) prepare(ctx context.Context) error {
	if err := os.MkdirAll(s.temp(), 0o700); err != nil {
		return err
	}
	// Plugins lie where Pulumi itself would have installed them. What may be on
	// PATH is not used: Pulumi would take it whatever its version is.
	for tool, folder := range map[string]string{languageHost: "language-go-", kubernetesPlugin: "resource-kubernetes-"} {
		version, err := s.Version(tool)
		if err != nil {
			return err
		}
		dir := filepath.Join(s.home(), "plugins", folder+version)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if err := replaceLink(s.Tools[tool], filepath.Join(dir, tool)); err != nil {
			return err
		}
	}
	if _, err := os.Stat(s.passphrase()); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(s.passphrase(), []byte(rand.Text()), 0o600); err != nil {
			return err
		}
	}
	return s.refreshConfig(ctx)
}

// refreshConfig writes the copy of the stack's configuration that the CLI works
// with. The salt of its secrets is that of the lab's stack, not of one of the same
// name that the user has elsewhere.
func (s Stack) refreshConfig(ctx context.Context) error {
	var content []byte
	if s.Config != "" {
		var err error
		if content, err = os.ReadFile(s.Config); err != nil {
			return err
		}
	}
	salt, err := s.salt(ctx)
	if err != nil {
		return err
	}
	content = userSalt.ReplaceAll(content, nil)
	return os.WriteFile(s.configFile(), slices.Concat(content, []byte("\n"), salt), 0o600)
}

var userSalt = regexp.MustCompile(`(?m)^encryptionsalt:.*$`)

// salt is what `pulumi stack init` writes into a stack's configuration. The
// command takes no --config-file, so the stack is created from a project of the
// same name in a folder of its own, and the checkout stays clean.
func (s Stack) salt(ctx context.Context) ([]byte, error) {
	init := filepath.Join(s.Dir, "init")
	file := filepath.Join(init, filepath.Base(s.configFile()))
	if salt, err := os.ReadFile(file); err == nil {
		return salt, nil
	}
	// Pulumi creates a stack before it writes its salt. A stack without one was
	// cut off there, and owns nothing.
	for _, dir := range []string{init, s.backend()} {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
			return nil, err
		}
	}
	definition, err := os.ReadFile(filepath.Join(s.Project, "Pulumi.yaml"))
	if err != nil {
		return nil, err
	}
	var project struct {
		Name string `yaml:"name"`
	}
	if err := yaml.Unmarshal(definition, &project); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(s.Project, "Pulumi.yaml"), err)
	}
	bare := fmt.Appendf(nil, "name: %s\nruntime: go\n", project.Name)
	if err := os.WriteFile(filepath.Join(init, "Pulumi.yaml"), bare, 0o600); err != nil {
		return nil, err
	}
	var out strings.Builder
	if err := s.pulumi(ctx, &out, "stack", "init", s.Name, "--cwd", init); err != nil {
		return nil, fmt.Errorf("pulumi stack init: %w\n%s", err, out.String())
	}
	return os.ReadFile(file)
}

func (s Stack) pulumi(ctx context.Context, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, s.Tools["pulumi"], args...)
	cmd.Dir = s.Project
	cmd.Env = s.Environ()
	cmd.Stdout, cmd.Stderr = out, out
	// An interrupted CLI saves its state before it ends, but one that is
	// interrupted twice does not. In a session of its own it hears of the end
	// once only: from here, and not from the terminal as well.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && !exit.Exited() {
		return fmt.Errorf("%w: %w", ErrCutOff, err)
	}
	return err
}

// Environ is the environment in which Pulumi works on the stack. It holds nothing of
// the user's own Pulumi.
func (s Stack) Environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "PULUMI_") || name == "KUBECONFIG"
	})
	return append(env,
		processes.Mark(s.LabID),
		"KUBECONFIG="+s.Kubeconfig,
		// The language host builds the program in here.
		"TMPDIR="+s.temp(),
		"PULUMI_HOME="+s.home(),
		"PULUMI_BACKEND_URL=file://"+filepath.ToSlash(s.backend()),
		"PULUMI_CONFIG_PASSPHRASE_FILE="+s.passphrase(),
		"PULUMI_SKIP_UPDATE_CHECK=true",
		"PULUMI_IGNORE_AMBIENT_PLUGINS=true",
		// What is not there must not be fetched from anywhere.
		"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true",
	)
}

func replaceLink(target, link string) error {
	if old, err := os.Readlink(link); err == nil && old == target {
		return nil
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Symlink(target, link)
}
