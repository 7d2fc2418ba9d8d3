package pods_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/core/value/treetest"
)

// object reads a YAML document with the marks of [treetest.Marked].
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	docs, err := manifests.ReadYAML(strings.NewReader(text), "object")
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 1 {
		t.Fatalf("%d objects in:\n%s", len(docs), text)
	}
	return tree.Map(treetest.Marked(docs[0].Value))
}

// deployed returns the pods of a Deployment with a spec in YAML.
func deployed(t *testing.T, spec string) *pods.Pods {
	t.Helper()
	template := map[string]any{"spec": object(t, spec)}
	p, ok := pods.Read(map[string]any{"kind": "Deployment", "spec": map[string]any{"template": template}})
	if !ok {
		t.Fatalf("a Deployment has no pods with\n%s", spec)
	}
	return p
}

// cluster returns a context with a Linux pool and a pool for each Windows platform.
func cluster(windows ...platform.Platform) *pods.Context {
	if len(windows) == 0 {
		return pods.NewContext(topology.Defaulted{}, platform.Strict, nil)
	}
	pools := []topology.Pool{{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3}}
	for _, p := range windows {
		name := strings.Replace(p.String(), "windows-20", "win", 1)
		pools = append(pools, topology.Pool{Name: name, Platform: p, Count: 2})
	}
	return pods.NewContext(topology.Topology{Pools: pools}.WithDefaults(), platform.Strict, nil)
}
