package lab

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// stackOf returns the configuration of a stack of this repository.
func stackOf(t *testing.T, name string) stackconfig.Config {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "stacks", "Pulumi."+name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Config map[string]any `json:"config"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(file.Config, func(key string, _ any) bool {
		return !strings.HasPrefix(key, stackconfig.Project+":")
	})
	file.Config[stackconfig.KeyWindowsPassword] = "Lab-0"
	config, err := stackconfig.Decode(file.Config)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// docs/resources.md describes this. TestAllocatable of package cluster is about the stack kubeadm-lab.
func TestAllocatableResourcesDependOnTheStack(t *testing.T) {
	t.Parallel()
	const version = "v1.36.3"
	existing := cluster.Nodes(stackOf(t, "lab-given").Topology.WithDefaults(), version)
	for _, node := range existing {
		if diff := cmp.Diff(node.Status.Capacity, node.Status.Allocatable); diff != "" {
			t.Errorf("lab-given: %s (-capacity +allocatable):\n%s", node.Name, diff)
		}
	}
	onAKS := aksNodes(stackOf(t, "lab").Topology.WithDefaults(), nil, version)
	for _, node := range onAKS {
		// The end-to-end test of the stack compares all figures with the components.
		reserved := node.Status.Capacity.Memory().DeepCopy()
		reserved.Sub(*node.Status.Allocatable.Memory())
		if node.Status.NodeInfo.OperatingSystem == "windows" {
			reserved.Sub(resource.MustParse("2Gi")) // for Windows itself
		}
		if reserved.Sign() <= 0 || node.Status.Allocatable.Cpu().Cmp(*node.Status.Capacity.Cpu()) >= 0 {
			t.Errorf("lab: %s reserves nothing: %v of %v", node.Name, node.Status.Allocatable, node.Status.Capacity)
		}
	}
	if len(existing) == 0 || len(onAKS) == 0 {
		t.Errorf("%d and %d nodes", len(existing), len(onAKS))
	}
}
