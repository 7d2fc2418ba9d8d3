package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/stacks/stacktest"
)

// step is a change of a cluster of machines, and the operations of the real engine for it. The first step has no
// operations.
type step struct {
	Name          string
	ControlPlanes int `yaml:"controlPlanes"`
	Pools         []map[string]any
	Operations    []string
}

// options returns the options of the stack kubeadm-lab with the machines of the step.
func (s step) options(t *testing.T) mocktest.Option {
	t.Helper()
	config := stacktest.Configuration(t, "../Pulumi.kubeadm-lab.yaml")
	set := func(key, field string, value any) {
		section := map[string]any{}
		if err := json.Unmarshal([]byte(config[key]), &section); err != nil {
			t.Fatal(err)
		}
		section[field] = value
		text, err := json.Marshal(section)
		if err != nil {
			t.Fatal(err)
		}
		config[key] = string(text)
	}
	set("mixedkube:cluster", "pools", s.Pools)
	set("mixedkube:kubeadm", "controlPlane", map[string]any{"count": s.ControlPlanes})
	config["mixedkube:windowsPassword"] = machinePassword
	return mocktest.All(mocktest.Project("mixedkube", "kubeadm-lab"), mocktest.Config(config), kubeadmtest.Azure())
}

// TestMocktestReportsTheMachineChangesOfTheEngine compares mocktest with the engine in an update and in a preview.
func TestMocktestReportsTheMachineChangesOfTheEngine(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/machine_changes.yaml")
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
	earlier := mocktest.MustRun(t, guard.Program(program()), steps[0].options(t))
	for _, s := range steps[1:] {
		after := mocktest.After(earlier)
		preview := mocktest.MustRun(t, guard.Program(program()), s.options(t), after, mocktest.Preview())
		graph := mocktest.MustRun(t, guard.Program(program()), s.options(t), after)
		for mode, g := range map[string]*mocktest.Graph{"preview": preview, "update": graph} {
			if d := cmp.Diff(s.Operations, operations(g)); d != "" {
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
			lines = append(lines, strings.Join([]string{string(c.Op), c.Type, c.Name}, " "))
		}
	}
	slices.Sort(lines)
	return lines
}
