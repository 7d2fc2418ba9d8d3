package placement_test

import (
	"fmt"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// tenPools returns five Linux pools and five Windows pools.
func tenPools() *placement.Nodes {
	var t topology.Topology
	for i := range 10 {
		p := linux(named(fmt.Sprintf("linux%d", i)))
		if i%2 == 1 {
			p = win22(named(fmt.Sprintf("win%d", i)))
		}
		t.Pools = append(t.Pools, p)
	}
	return placement.NewNodes(t.WithDefaults(), platform.Strict)
}

func typicalPod() placement.Pod {
	return placement.Pod{
		OS:           windowsOS,
		NodeSelector: set("kubernetes.io/os", "windows", topology.LabelWindowsBuild, "10.0.20348"),
		Tolerations:  tolerateWindows(),
		Images:       []placement.Image{image("mcr.microsoft.com/windows/servercore:ltsc2022")},
	}
}

func BenchmarkPlace(b *testing.B) {
	nodes, pod := tenPools(), typicalPod()
	b.ReportAllocs()
	for b.Loop() {
		nodes.Place(pod)
	}
}

func BenchmarkPlaceWithAffinityAndRuntimeClass(b *testing.B) {
	nodes, pod := tenPools(), typicalPod()
	pod.RuntimeClass = windowsClass(platform.WindowsServer2022)
	pod.Required = requires(term(expr("kubernetes.io/os", "In", "windows"),
		expr("kubernetes.io/arch", "NotIn", "arm64")))
	b.ReportAllocs()
	for b.Loop() {
		nodes.Place(pod)
	}
}

func BenchmarkExplain(b *testing.B) {
	nodes, pod := tenPools(), typicalPod()
	b.ReportAllocs()
	for b.Loop() {
		nodes.Place(pod).Nearest("", "")
	}
}

func BenchmarkNewNodes(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		tenPools()
	}
}
