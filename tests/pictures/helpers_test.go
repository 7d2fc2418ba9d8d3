package pictures

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// dir has the pictures.
const dir = "../../docs/pictures/"

// objects reads the manifests of a file.
func objects(t *testing.T, path string) []map[string]any {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for document := range strings.SplitSeq(string(content), "\n---\n") {
		var value any
		if err := yaml.Unmarshal([]byte(document), &value); err != nil {
			t.Fatal(err)
		}
		all = append(all, tree.Map(tree.Normalize(value)))
	}
	return all
}

// cluster returns the cluster of the lab, of stacks/Pulumi.lab.yaml, in its pools.
func cluster() topology.Topology {
	return topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 2},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
		{Name: "win25", Platform: platform.WindowsServer2025, Count: 2},
	}}
}
