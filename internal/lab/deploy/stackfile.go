package deploy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// ReadStack reads the configuration of a stack from the directory of the stacks. The
// error lists everything that is wrong with it.
func ReadStack(stacks, stack string) (stackconfig.Config, error) {
	path := StackFile(stacks, stack)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stackconfig.Config{}, unknownStack(stacks, stack)
	}
	if err != nil {
		return stackconfig.Config{}, err
	}
	var file struct {
		Config map[string]any `yaml:"config"`
	}
	// In messages the path is short: below the checkout.
	if short, err := filepath.Rel(filepath.Dir(stacks), path); err == nil {
		path = short
	}
	if err := yaml.Unmarshal(content, &file); err != nil {
		return stackconfig.Config{}, fmt.Errorf("%s: %w", path, err)
	}
	values := map[string]any{}
	for key, value := range file.Config {
		if strings.HasPrefix(key, stackconfig.Project+":") {
			values[key] = value
		}
	}
	for _, key := range ownSecrets(values) {
		values[key] = ""
	}
	config, err := stackconfig.Decode(values)
	if err != nil {
		return stackconfig.Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return config, nil
}

// ownSecrets returns the keys of the secrets that the lab generates itself, for the values of a
// configuration.
func ownSecrets(values map[string]any) []string {
	_, onAKS := values[stackconfig.KeyAKS]
	_, onMachines := values[stackconfig.KeyKubeadm]
	if onMachines || onAKS {
		return []string{stackconfig.KeyWindowsPassword}
	}
	return nil
}

// StackFile returns the configuration file of a stack in the directory of the stacks.
func StackFile(stacks, stack string) string {
	return filepath.Join(stacks, "Pulumi."+stack+".yaml")
}

func unknownStack(stacks, stack string) error {
	var known []string
	files, _ := filepath.Glob(StackFile(stacks, "*"))
	for _, file := range files {
		known = append(known, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "Pulumi."), ".yaml"))
	}
	if len(known) == 0 {
		return fmt.Errorf("unknown stack %q: no stack exists, because %s has no file Pulumi.*.yaml", stack, stacks)
	}
	slices.Sort(known)
	return errors.New(fielderrors.Unknown(fmt.Sprintf("stack %q", stack), stack, known))
}
