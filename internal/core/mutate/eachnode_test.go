package mutate_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// An agent runs on reserved nodes too, and on nodes of other releases than its images are for.
func TestAgentsRunOnEachNode(t *testing.T) {
	t.Parallel()
	in := cluster(platform.WindowsServer2022, platform.WindowsServer2025)
	in.Pools = append(in.Pools, topology.Pool{
		Name: "shop", Platform: platform.WindowsServer2022,
		Taints: []corev1.Taint{{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoExecute}},
	})
	const (
		at          = "[spec template spec "
		shop        = "map[effect:NoExecute key:team operator:Equal value:shop]"
		windows     = "map[effect:NoSchedule key:os operator:Equal value:windows]"
		tolerations = at + "tolerations]: [" + windows + " " + shop + "]"
		arch        = at + "nodeSelector kubernetes.io/arch]: amd64"
		system      = at + "nodeSelector kubernetes.io/os]: windows"
		name        = at + "os name]: windows"
		required    = at + "affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms]: "
		builds      = "[map[matchExpressions:[map[key:node.kubernetes.io/windows-build operator:In " +
			"values:[10.0.20348 10.0.26100]]]]]"
	)
	win22 := []platform.Platform{platform.WindowsServer2022}
	for about, tt := range map[string]struct {
		pod       map[string]any
		platforms []platform.Platform
		want      []string
	}{
		"all Windows nodes": {nil, nil, []string{arch, system, tolerations, name}},
		"nodes of one release": {
			nil, win22,
			[]string{
				arch, system, at + "nodeSelector node.kubernetes.io/windows-build]: 10.0.20348", tolerations, name,
			},
		},
		"nodes of two releases": {
			nil, append(win22, platform.WindowsServer2025),
			[]string{arch, system, required + builds, tolerations, name},
		},
		"pods that contradict it": {
			map[string]any{"nodeName": "a", "nodeSelector": map[string]any{"kubernetes.io/os": "linux"}},
			nil,
			[]string{arch, tolerations, name},
		},
		"pods that have some of it": {
			map[string]any{
				"os": map[string]any{"name": "windows"}, "nodeSelector": map[string]any{"kubernetes.io/arch": "amd64"},
				"tolerations": []any{map[string]any{"key": "team", "operator": "Exists"}},
			},
			nil,
			[]string{system, at + "tolerations]: [" + windows + "]"},
		},
	} {
		spec := map[string]any{"containers": []any{map[string]any{"name": "agent", "image": core2019}}}
		maps.Copy(spec, tt.pod)
		object := pods.ReadObject(daemonSet(map[string]any{"spec": spec}))
		context := pods.NewContext(in.WithDefaults(), in.Matching, nil).WithPlatform(platform.WindowsOS, "")
		got := mutate.Decide(object, context,
			mutate.Policy{Explicit: true, EachNode: true, Platforms: tt.platforms})
		if diff := cmp.Diff(tt.want, editTexts(got.Edits)); diff != "" || !got.Decided {
			t.Errorf("%s: decided: %t (-want +got):\n%s", about, got.Decided, diff)
		}
	}
}
