package mutate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// On EKS, Windows pods get the node selector if something else selects Windows nodes, and then break no
// rule of EKS.
func TestWindowsPodsOnEKSGetTheSelector(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	const added = "spec nodeSelector kubernetes.io/os = windows"
	build := m{"node.kubernetes.io/windows-build": "10.0.20348"}
	eks := cluster(platform.WindowsServer2022)
	eks.Cloud, eks.Pools[1].Untainted = topology.EKS, true
	for name, tt := range map[string]struct {
		spec    m
		classes []map[string]any
		want    []string
	}{
		"by affinity": {spec: m{"os": m{"name": "windows"}, "affinity": osAffinity("windows")}, want: []string{added}},
		"by build":    {spec: m{"os": m{"name": "windows"}, "nodeSelector": build}, want: []string{added}},
		"by a class without it": {
			spec:    m{"os": m{"name": "windows"}, "runtimeClassName": "own"},
			classes: []map[string]any{runtimeClass("own", build)}, want: []string{added},
		},
		"by a class with it": {
			spec:    m{"os": m{"name": "windows"}, "runtimeClassName": "own"},
			classes: []map[string]any{runtimeClass("own", m{"kubernetes.io/os": "windows"})},
		},
		"by the class of the platform": {spec: m{"os": m{"name": "windows"}, "runtimeClassName": "windows-2022"}},
		"by the selector": {
			spec: m{"os": m{"name": "windows"}, "nodeSelector": m{"kubernetes.io/os": "windows"}},
		},
		"by the old label": {
			spec: m{"os": m{"name": "windows"}, "nodeSelector": m{"beta.kubernetes.io/os": "windows"}},
		},
		"in the node's network": {
			spec: m{"os": m{"name": "windows"}, "nodeSelector": build, "hostNetwork": true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := pod(tt.spec)
			got := adopter(options{Topology: eks, Classes: tt.classes})(object, "")
			if diff := cmp.Diff(tt.want, written(got.Edits)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			checker := preflight.New(preflight.Options{Topology: eks})
			done := append([]map[string]any{mutate.Apply(object, got.Edits)}, tt.classes...)
			for _, f := range preflight.Join(checker.Check(done[0]), checker.Across(done)[0]) {
				if f.Rule == "MK870" {
					t.Errorf("after the edits: %s", f)
				}
			}
			otherCluster := eks
			otherCluster.Cloud = ""
			for _, e := range adopter(options{Topology: otherCluster, Classes: tt.classes})(object, "").Edits {
				if len(e.Path) > 1 && e.Path[1] == "nodeSelector" {
					t.Errorf("on another cluster: %v", e)
				}
			}
		})
	}
}
