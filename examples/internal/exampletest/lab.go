package exampletest

import (
	"os"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// labStack is the stack of the cluster to which tests/e2e deploys the examples.
const labStack = "../../stacks/Pulumi.lab-given.yaml"

func labTopology(t *testing.T) topology.Topology {
	t.Helper()
	text, err := os.ReadFile(labStack)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Config map[string]any }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	config, err := stackconfig.Decode(file.Config)
	if err != nil {
		t.Fatal(err)
	}
	return config.Topology
}

// mainFile returns the text of the example's main.go.
func mainFile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
