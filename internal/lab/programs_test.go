package lab

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// aLab returns a lab in which nothing was started.
func aLab(t *testing.T) *Lab {
	t.Helper()
	cache, err := tools.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(cache, t.TempDir(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAStackHasAProgramInEachLanguage(t *testing.T) {
	t.Parallel()
	l := aLab(t)
	for _, tt := range []struct{ stack, language, dir, runtime, wrong string }{
		{stack: "lab", language: "go", dir: ".", runtime: "go"},
		{stack: "kubeadm-lab", language: "go", dir: "stacks/kubeadm", runtime: "go"},
		{stack: "lab", language: "typescript", dir: "stacks/typescript", runtime: "nodejs"},
		{stack: "lab-given", language: "python", dir: "stacks/python", runtime: "python"},
		{stack: "lab", language: "yaml", dir: "stacks/yaml/lab", runtime: "yaml"},
		{stack: "lab-given", language: "yaml", dir: "stacks/yaml/lab-given", runtime: "yaml"},
		{
			stack: "aks", language: "yaml",
			wrong: "the stack aks has no program in yaml: the stacks lab, lab-given have one",
		},
		{
			stack: "kubeadm-lab", language: "python",
			wrong: "the stack kubeadm-lab creates its cluster on virtual machines: its program is in go only",
		},
		{
			stack: "lab", language: "java",
			wrong: `PROGRAM: Unsupported value: "java": the stacks have programs in go, python, typescript, yaml`,
		},
	} {
		config, err := deploy.ReadStack(l.Stacks, tt.stack)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := l.projectOf(config, tt.stack, tt.language)
		if tt.wrong != "" {
			if err == nil || err.Error() != tt.wrong {
				t.Errorf("%s in %s: %v, want %s", tt.stack, tt.language, err, tt.wrong)
			}
			continue
		}
		if want := filepath.Join(l.tools.Root, tt.dir); err != nil || dir != want {
			t.Errorf("%s in %s: %s, %v; want %s", tt.stack, tt.language, dir, err, want)
		}
		project, err := deploy.ReadProject(dir)
		if err != nil || project.Name != "mixedkube" || string(project.Runtime) != tt.runtime {
			t.Errorf("%s in %s: %+v, %v", tt.stack, tt.language, project, err)
		}
	}
}

// The resources of a stack that creates its cluster have a provider, which differs between programs.
func TestOnlyStacksOfExistingClustersChangeTheirLanguage(t *testing.T) {
	t.Parallel()
	for stack, want := range map[string]string{
		"lab-given": "",
		"lab": "the lab runs the program in python, which has created the cluster: take it down with `make down` " +
			"before you start the one in go",
	} {
		l := aLab(t)
		for path, content := range map[string]string{l.stackNote(): stack, l.programNote(): "python"} {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		config, err := deploy.ReadStack(l.Stacks, stack)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.checkLanguage(config, "python"); err != nil {
			t.Errorf("%s in the same language: %v", stack, err)
		}
		err = l.checkLanguage(config, tools.Go)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", stack, err, want)
		}
	}
}
