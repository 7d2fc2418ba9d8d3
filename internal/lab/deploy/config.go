package deploy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// refreshConfig writes the copy of the stack's configuration that the CLI works
// with. It has the lab's own values, and the salt of the lab's secrets: the salt in the
// original belongs to a stack of the same name that the user has outside of the lab.
func (s Stack) refreshConfig(ctx context.Context) error {
	file := stackFile{}
	if s.Config != "" {
		var err error
		if file, err = readStackFile(s.Config); err != nil {
			return err
		}
	}
	own, err := s.own(ctx)
	if err != nil {
		return err
	}
	file.Salt = own.Salt
	if len(own.Config) > 0 {
		config := maps.Clone(own.Config)
		for key, value := range file.Config {
			if _, ok := config[key]; !ok {
				config[key] = value
			}
		}
		file.Config = config
	}
	content, err := yaml.Marshal(file)
	if err != nil {
		return err
	}
	return os.WriteFile(s.configFile(), content, 0o600)
}

// stackFile is a stack's configuration file, with the values unchanged.
type stackFile struct {
	Salt   string               `yaml:"encryptionsalt,omitempty"`
	Config map[string]yaml.Node `yaml:"config,omitempty"`
	Rest   map[string]yaml.Node `yaml:",inline"`
}

func readStackFile(path string) (stackFile, error) {
	var file stackFile
	content, err := os.ReadFile(path)
	if err != nil {
		return file, err
	}
	if err := yaml.Unmarshal(content, &file); err != nil {
		return file, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// EnsureSecret sets a secret to a new value, unless the stack already has one.
func (s Stack) EnsureSecret(ctx context.Context, key string, value func() string) error {
	own, err := s.own(ctx)
	if err != nil {
		return err
	}
	if _, ok := own.Config[key]; ok {
		return nil
	}
	return s.SetSecret(ctx, key, value())
}

// SetSecret gives the stack a secret value, which exists as long as the stack. It takes
// precedence over the value in the configuration file.
func (s Stack) SetSecret(ctx context.Context, key, value string) error {
	if _, err := s.own(ctx); err != nil {
		return err
	}
	var out strings.Builder
	err := s.pulumi(ctx, strings.NewReader(value), &out, "config", "set", "--secret", key, "--stack", s.Name, "--cwd",
		s.initDir())
	if err != nil {
		return fmt.Errorf("pulumi config set %s: %w\n%s", key, err, out.String())
	}
	return nil
}

func (s Stack) initDir() string { return filepath.Join(s.Dir, "init") }

// own returns the configuration file that `pulumi stack init` writes: the salt, and the
// secrets of the lab. The command has no flag --config-file, so the stack is created from
// a project of the same name in a separate directory, and the checkout stays clean.
func (s Stack) own(ctx context.Context) (stackFile, error) {
	path := filepath.Join(s.initDir(), filepath.Base(s.configFile()))
	if _, err := os.Stat(path); err != nil {
		if err := s.create(ctx); err != nil {
			return stackFile{}, err
		}
	}
	return readStackFile(path)
}

func (s Stack) create(ctx context.Context) error {
	if err := s.prepare(); err != nil {
		return err
	}
	// Pulumi creates a stack before it writes the salt of the stack. A stack without a salt was
	// interrupted during its creation, and has no resources.
	for _, dir := range []string{s.initDir(), s.backend()} {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
			return err
		}
	}
	bare := fmt.Appendf(nil, "name: %s\nruntime: go\n", s.Project.Name)
	if err := os.WriteFile(filepath.Join(s.initDir(), "Pulumi.yaml"), bare, 0o600); err != nil {
		return err
	}
	var out strings.Builder
	if err := s.pulumi(ctx, nil, &out, "stack", "init", s.Name, "--cwd", s.initDir()); err != nil {
		return fmt.Errorf("pulumi stack init: %w\n%s", err, out.String())
	}
	return nil
}
