package preflight_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Check finds what the API server refuses, and where the pods cannot run on this cluster.
func Example() {
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "shop"},
		"spec": map[string]any{
			"os":              map[string]any{"name": "windows"},
			"securityContext": map[string]any{"fsGroup": 2000},
			"nodeSelector":    map[string]any{"kubernetes.io/os": "windows"},
			"containers": []any{map[string]any{
				"name": "shop", "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025",
				"resources": map[string]any{"limits": map[string]any{"memory": "1Gi"}},
			}},
		},
	}
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022},
	}}
	for _, finding := range preflight.Check(pod, preflight.Options{Topology: cluster}) {
		fmt.Println(finding.Severity, finding)
		fmt.Println("  see", rule.URL(finding.Rule))
	}
	// Output:
	// error spec: fits no pool of the topology; the nearest is win22 (its taint os=windows:NoSchedule is not tolerated; image mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025 needs Windows Server 2025, its nodes run Windows Server 2022): tolerate os=windows:NoSchedule, and use an image for Windows Server 2022 (MK303)
	//   see https://github.com/mixedkube/mixedkube/blob/main/docs/rules/placement.md#mk303
	// error spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod: remove it (MK118)
	//   see https://github.com/mixedkube/mixedkube/blob/main/docs/rules/security.md#mk118
}

// Some rules need several objects: here a RuntimeClass that no object declares.
func ExampleChecker_Across() {
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "shop"},
		"spec": map[string]any{
			"runtimeClassName": "windows-next",
			"containers":       []any{map[string]any{"name": "shop", "image": "shop.example.com/shop:1.4"}},
		},
	}
	class := map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "handler": "runhcs-wcow-process",
		"metadata": map[string]any{"name": "windows-2022"},
	}
	checker := preflight.New(preflight.Options{KubernetesVersion: "1.36"})
	for _, finding := range checker.Across([]map[string]any{pod, class})[0] {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
}
