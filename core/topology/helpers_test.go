package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// mixed returns a valid topology with two pools, changed by a test.
func mixed(change func(*topology.Topology)) topology.Topology {
	t := topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Mode: topology.System},
			{Name: "win22", Platform: platform.WindowsServer2022},
		},
	}
	if change != nil {
		change(&t)
	}
	return t
}

// windows changes the Windows pool of a valid topology.
func windows(change func(*topology.Pool)) topology.Topology {
	return mixed(func(t *topology.Topology) { change(&t.Pools[1]) })
}

// wantErrors compares errors with their full texts, in order.
func wantErrors(t *testing.T, got field.ErrorList, want ...string) {
	t.Helper()
	var texts []string
	for _, err := range got {
		texts = append(texts, err.Error())
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// read decodes a document.
func read(t *testing.T, text string) (topology.Topology, field.ErrorList) {
	t.Helper()
	var raw any
	if err := yaml.Unmarshal([]byte(text), &raw); err != nil {
		t.Fatal(err)
	}
	return topology.Decode(raw, nil)
}
