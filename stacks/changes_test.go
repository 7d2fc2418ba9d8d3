package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// step is a change of a cluster, and the operations of the real engine for it.
type step struct {
	Name, Version, Password string
	Pools                   []map[string]any
	Operations              []string
}

func (s step) config(t *testing.T, password string) mocktest.Option {
	t.Helper()
	cluster, err := json.Marshal(map[string]any{"kubernetesVersion": s.Version, "pools": s.Pools})
	if err != nil {
		t.Fatal(err)
	}
	return mocktest.All(mocktest.Project("mixedkube", "lab"), mocktest.Config(map[string]string{
		"azure-native:location":     "westeurope",
		"mixedkube:aks":             `{"azureCLI": true, "unprotected": true}`,
		"mixedkube:workloads":       `["iis", "linux-web"]`,
		"mixedkube:cluster":         string(cluster),
		"mixedkube:windowsPassword": password,
	}))
}

// TestMocktestReportsTheChangesOfTheEngine compares mocktest with the engine in an update and in a preview, for a
// graph in memory.
func TestMocktestReportsTheChangesOfTheEngine(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/azure_changes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	if err := yaml.Unmarshal(text, &steps); err != nil {
		t.Fatal(err)
	}
	if len(steps) < 2 {
		t.Fatal("there are no changes")
	}
	var earlier *mocktest.Graph
	password := ""
	for _, s := range steps {
		if s.Password != "" {
			password = s.Password
		}
		options := []mocktest.Option{s.config(t, password), akstest.Azure()}
		if earlier != nil {
			options = append(options, mocktest.After(earlier), akstest.Azure(akstest.Made(earlier)...))
		}
		// Resources that the engine creates by itself are not in a graph.
		want := slices.DeleteFunc(s.Operations, func(line string) bool {
			return strings.Contains(line, " default") || strings.Contains(line, "pulumi:pulumi:Stack")
		})
		preview := mocktest.MustRun(t, guard.Program(program()), append(options, mocktest.Preview())...)
		graph := mocktest.MustRun(t, guard.Program(program()), options...)
		for mode, g := range map[string]*mocktest.Graph{"preview": preview, "update": graph} {
			if d := cmp.Diff(want, operations(g)); d != "" {
				t.Errorf("%s in %s (-engine +mocktest):\n%s%s", s.Name, mode, d, g.Changes())
			}
		}
		earlier = graph
	}
}

// operations returns the operations other than same, in the form of the file.
func operations(g *mocktest.Graph) []string {
	var lines []string
	for _, c := range g.Changes() {
		if c.Op != mocktest.OpSame {
			lines = append(lines, string(c.Op)+" "+c.Type+" "+c.Name)
		}
	}
	slices.Sort(lines)
	return lines
}
