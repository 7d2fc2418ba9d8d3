package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Runtimes are Pulumi's names of the languages whose programs the lab runs. The first is Go, whose
// programs use the components without the plugin.
var Runtimes = []string{goRuntime, "nodejs", "python", "yaml"}

const goRuntime = "go"

// Project is a project as its Pulumi.yaml describes it.
type Project struct {
	// Dir is the directory of the Pulumi.yaml.
	Dir string `yaml:"-"`
	// Name is the name of the project, Main the directory of its program, below Dir.
	Name, Main string
	Runtime    Runtime
}

// Runtime is the language of a program, by Pulumi's name for it.
type Runtime string

// UnmarshalYAML reads the name, or the name with options of the language host.
func (r *Runtime) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode((*string)(r))
	}
	var object struct{ Name string }
	err := node.Decode(&object)
	*r = Runtime(object.Name)
	return err
}

// ReadProject reads the Pulumi.yaml of a directory.
func ReadProject(dir string) (Project, error) {
	p := Project{Dir: dir}
	path := filepath.Join(dir, "Pulumi.yaml")
	content, err := os.ReadFile(path)
	if err != nil {
		return p, err
	}
	if err := yaml.Unmarshal(content, &p); err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	if !slices.Contains(Runtimes, string(p.Runtime)) {
		return p, fmt.Errorf("%s: runtime: Unsupported value: %q: the lab runs programs in %s", path, p.Runtime,
			strings.Join(Runtimes, ", "))
	}
	return p, nil
}

// InGo reports whether the program is in Go.
func (p Project) InGo() bool { return p.Runtime == goRuntime }

// Program returns the directory of the program.
func (p Project) Program() string { return filepath.Join(p.Dir, filepath.FromSlash(p.Main)) }
