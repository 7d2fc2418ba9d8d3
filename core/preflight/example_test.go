package preflight_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
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
		fmt.Println(finding.Severity, finding.Path, finding.Rule)
		fmt.Println("  fix:", finding.Fix)
		fmt.Println("  see", rule.URL(finding.Rule))
	}
	// Output:
	// error spec MK303
	//   fix: tolerate os=windows:NoSchedule, and use an image for Windows Server 2022
	//   see https://github.com/mixedkube/mixedkube/blob/main/docs/rules/placement.md#mk303
	// error spec.securityContext.fsGroup MK118
	//   fix: remove it
	//   see https://github.com/mixedkube/mixedkube/blob/main/docs/rules/security.md#mk118
}

// Some rules need several objects: here a pod in a Namespace where Istio adds its sidecar, which runs on Linux only.
func ExampleChecker_Across() {
	namespace := map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": "shop", "labels": map[string]any{"istio-injection": "enabled"}},
	}
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "web", "namespace": "shop"},
		"spec": map[string]any{
			"os":         map[string]any{"name": "windows"},
			"containers": []any{map[string]any{"name": "web", "image": "shop.example.com/web:1.4"}},
		},
	}
	checker := preflight.New(preflight.Options{KubernetesVersion: "1.36"})
	for index, findings := range checker.Across([]map[string]any{namespace, pod}) {
		for _, finding := range findings {
			fmt.Println(index, finding.Severity, finding)
		}
	}
	// Output:
	// 1 warning metadata.labels[sidecar.istio.io/inject]: these Windows pods get Istio's sidecar, which is for Linux, by the labels of the namespace shop: write "false" (MK550)
}
