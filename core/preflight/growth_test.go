package preflight_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// allocated returns how many bytes a function allocates.
func allocated(run func()) uint64 {
	var begin, end runtime.MemStats
	runtime.ReadMemStats(&begin)
	run()
	runtime.ReadMemStats(&end)
	return end.TotalAlloc - begin.TotalAlloc
}

// A file can have an object with tens of thousands of elements: the work for it grows with them, not with their square.
func TestTheMemoryOfChecksGrowsWithTheObject(t *testing.T) { //nolint:paralleltest // it counts allocations
	checker := preflight.New(preflight.Options{KubernetesVersion: "1.36", Topology: topology.Topology{
		Pools: []topology.Pool{{
			Name: "win22", Platform: platform.WindowsServer2022,
			Taints: []corev1.Taint{{Key: "os", Value: "windows", Effect: corev1.TaintEffectNoSchedule}},
		}},
	}})
	for name, text := range map[string]func(n int) string{
		"tolerations": func(n int) string {
			return inPod("windows", "tolerations: ["+strings.Repeat("{key: os, value: Windows}, ", n)+"]", "")
		},
	} {
		grows(t, name, func(n int) func() {
			o := object(t, text(n))
			return func() { checker.Check(o) }
		})
	}
}

// grows fails if a function for fourfold input allocates more than six times as much memory.
func grows(t *testing.T, name string, prepare func(n int) func()) {
	t.Helper()
	if once, fourfold := allocated(prepare(1000)), allocated(prepare(4000)); fourfold > 6*once {
		t.Errorf("%s: 1,000 take %d bytes, 4,000 take %d", name, once, fourfold)
	}
}

// Policies that select the same pods do not collect them again.
func TestTheMemoryOfPoliciesGrowsWithTheObjects(t *testing.T) { //nolint:paralleltest // it counts allocations
	checker := preflight.New(preflight.Options{Topology: topology.Topology{
		MissingFeatures: []topology.Feature{topology.WindowsNetworkPolicies},
	}})
	const selector = "{matchExpressions: [{key: app, operator: Exists}]}"
	for name, policy := range map[string]string{
		"budgets": "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a, namespace: shop}, " +
			"spec: {selector: " + selector + ", minAvailable: 1}}",
		"network policies": "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: " +
			"shop}, spec: {podSelector: " + selector + "}}",
	} {
		grows(t, name, func(n int) func() {
			objects := slices.Repeat([]map[string]any{object(t, policy), deployment()}, n)
			return func() { checker.Across(objects) }
		})
	}
}
