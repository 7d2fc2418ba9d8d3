package mutate_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// The image indicates the platform of the pods. The edits select nodes with this platform.
func Example() {
	object := map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "iis"},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "iis", "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
		}}},
	}
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022},
	}}.WithDefaults()
	decision := mutate.Decide(pods.ReadObject(object), pods.NewContext(cluster, platform.Strict, nil), mutate.Policy{})
	fmt.Println(decision.Platform, "by", decision.Source)
	for _, edit := range decision.Edits {
		fmt.Println(edit.Path, edit.Value)
	}
	// Output:
	// windows-2022 by the images
	// [spec nodeSelector kubernetes.io/arch] amd64
	// [spec nodeSelector kubernetes.io/os] windows
	// [spec nodeSelector node.kubernetes.io/windows-build] 10.0.20348
	// [spec tolerations] [map[effect:NoSchedule key:os operator:Equal value:windows]]
	// [spec os name] windows
}
