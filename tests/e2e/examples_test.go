package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
)

// configuredExamples are those that need a configuration here.
var configuredExamples = map[string]string{
	// No kubeadm has made the lab's cluster.
	"bare-metal-agents": "config:\n  bare-metal-agents:ownServiceAccount: true\n",
}

// TestExamples deploys each example into a lab, and removes it again, but for those
// that make their cluster in Azure: TestLabInAzure and TestTheExampleOfMachines have them.
func TestExamples(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	if err := l.Start(t.Context(), lab.Options{Stack: "lab-given"}); err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadDir(filepath.Join(checkout(t), "examples"))
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) < 2 {
		t.Fatalf("there are only %d examples", len(examples))
	}
	for _, example := range examples {
		project := filepath.Join(checkout(t), "examples", example.Name())
		// Some examples are commands, with tests of their own.
		if _, err := os.Stat(filepath.Join(project, "Pulumi.yaml")); err != nil {
			continue
		}
		if _, ok := inAzure[example.Name()]; ok || example.Name() == machinesExample {
			continue
		}
		t.Run(example.Name(), func(t *testing.T) {
			config := ""
			if text, ok := configuredExamples[example.Name()]; ok {
				config = filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
				check(t, os.WriteFile(config, []byte(text), 0o600))
			}
			stack, err := l.Project(t.Context(), project, "dev", config)
			if err != nil {
				t.Fatal(err)
			}
			if err := stack.Up(t.Context()); err != nil {
				t.Fatal(err)
			}
			l.out.take()
			if err := l.Status(t.Context()); err != nil {
				t.Error(err)
			}
			contains(t, l.out.take(), "windows   10.0.20348")
			if err := stack.Preview(t.Context(), "--expect-no-changes"); err != nil {
				t.Error(err)
			}
			if err := stack.Destroy(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
