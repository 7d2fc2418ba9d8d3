package deploy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProjectFromDefinition(t *testing.T) {
	t.Parallel()
	for definition, want := range map[string]Project{
		"name: p\nruntime: go\n":                                       {Name: "p", Runtime: "go"},
		"name: p\nruntime: yaml\nmain: cmd/p\n":                        {Name: "p", Runtime: "yaml", Main: "cmd/p"},
		"name: p\nruntime: {name: python, options: {virtualenv: v}}\n": {Name: "p", Runtime: "python"},
	} {
		want.Dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(want.Dir, "Pulumi.yaml"), []byte(definition), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadProject(want.Dir)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", definition, got, err)
		}
		if dir := filepath.Join(want.Dir, want.Main); got.Program() != dir {
			t.Errorf("%q: the program is in %s, want %s", definition, got.Program(), dir)
		}
	}
}

func TestInvalidProjectsAreReported(t *testing.T) {
	t.Parallel()
	for definition, want := range map[string]string{
		"runtime: dotnet\n": `Pulumi.yaml: runtime: Unsupported value: "dotnet": the lab runs programs in go, ` +
			"nodejs, python, yaml",
		"runtime: [go]\n": "Pulumi.yaml: yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into " +
			"struct { Name string }",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "Pulumi.yaml"), []byte(definition), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadProject(dir)
		if err == nil || strings.TrimPrefix(err.Error(), dir+string(filepath.Separator)) != want {
			t.Errorf("%q: %v, want %s", definition, err, want)
		}
	}
}
