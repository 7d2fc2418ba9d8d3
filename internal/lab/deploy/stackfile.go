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

	"github.com/mixedkube/mixedkube/internal/nearest"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
)

// ReadStack reads the configuration of a stack from the checkout in root. The
// error lists everything that is wrong with it.
func ReadStack(root, stack string) (stackconfig.Config, error) {
	path := StackFile(root, stack)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stackconfig.Config{}, unknownStack(root, stack)
	}
	if err != nil {
		return stackconfig.Config{}, err
	}
	var file struct {
		Config map[string]any `yaml:"config"`
	}
	// In messages the path is short: below the checkout.
	if short, err := filepath.Rel(root, path); err == nil {
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
	config, err := stackconfig.Decode(values)
	if err != nil {
		return stackconfig.Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return config, nil
}

// StackFile is the configuration file of a stack of the checkout in root.
func StackFile(root, stack string) string {
	return filepath.Join(root, "stacks", "Pulumi."+stack+".yaml")
}

func unknownStack(root, stack string) error {
	var stacks []string
	files, _ := filepath.Glob(StackFile(root, "*"))
	for _, file := range files {
		stacks = append(stacks, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "Pulumi."), ".yaml"))
	}
	slices.Sort(stacks)
	return errors.New(nearest.Unknown(fmt.Sprintf("stack %q", stack), stack, stacks))
}
