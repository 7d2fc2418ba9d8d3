package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// configuredExamples are those that need a configuration here, in a checkout.
var configuredExamples = map[string]func(checkout string) string{
	// No kubeadm has made the lab's cluster.
	"bare-metal-agents": func(string) string { return "bare-metal-agents:ownServiceAccount: true" },
	// Nothing is downloaded, and nobody would answer the real webhook.
	"gmsa": func(checkout string) string {
		return "gmsa:chart: " + filepath.Join(checkout, "components", "gmsa", "testdata", "program", "chart")
	},
}

// TestExamples deploys each example into a lab, and removes it again, but for those
// that make their cluster in Azure: TestLabInAzure and TestTheExampleOfMachines have them.
func TestExamples(t *testing.T) {
	t.Parallel()
	examples := examplesForAnyCluster(t)
	if len(examples) < 20 {
		t.Fatalf("there are only %d examples", len(examples))
	}
	// Two labs at once need half the time, as much of it is waiting.
	for name, part := range map[string][]string{
		"first":  examples[:len(examples)/2],
		"second": examples[len(examples)/2:],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := emptyLab(t, "lab-given")
			for _, name := range part {
				t.Run(name, func(t *testing.T) { deployExample(t, l, name) })
			}
		})
	}
}

// examplesForAnyCluster are their names.
func examplesForAnyCluster(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(checkout(t), "examples"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, example := range entries {
		// Some examples are commands, with tests of their own.
		if _, err := os.Stat(filepath.Join(checkout(t), "examples", example.Name(), "Pulumi.yaml")); err != nil {
			continue
		}
		if _, ok := inAzure[example.Name()]; !ok && example.Name() != machinesExample {
			names = append(names, example.Name())
		}
	}
	return names
}

func deployExample(t *testing.T, l testLab, name string) {
	t.Helper()
	config := ""
	if configuration, ok := configuredExamples[name]; ok {
		config = filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
		check(t, os.WriteFile(config, []byte("config:\n  "+configuration(checkout(t))+"\n"), 0o600))
	}
	stack := l.project(t, "examples/"+name, "dev", config)
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
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Error(err)
	}
}
