package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestResources(t *testing.T) {
	t.Parallel()
	pod := func(cpu, memory string) placement.Pod { return placement.Pod{Requests: requests(cpu, memory)} }
	withOverhead := func(pod placement.Pod, cpu, memory string) placement.Pod {
		pod.RuntimeClass = &placement.RuntimeClass{Name: "kata", Overhead: requests(cpu, memory)}
		return pod
	}
	runRows(t, []row{
		// Windows does not report 460 KiB of the memory.
		{name: "a whole node", pod: pod("4", "16776756Ki"), want: yes},
		{
			name: "more CPUs", pod: pod("16", ""), want: no,
			reasons: []string{
				"resources: requests 16 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
			},
		},
		{
			name: "a little more of everything", pod: pod("4300m", "16.5Gi"), want: no,
			reasons: []string{
				"resources: requests 4.3 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
				"resources: requests 16.5 GiB of memory, a node of Standard_D4s_v5 has 15.99 GiB | request at most " +
					"15.99 GiB of memory, or use larger nodes",
			},
		},
		{
			name: "one CPU", pool: linux(size("Standard_B1s")), pod: pod("1001m", ""), want: no,
			reasons: []string{
				"resources: requests 1.001 CPUs, a node of Standard_B1s has 1 | request at most 1 CPU, or use " +
					"larger nodes",
			},
		},
		{
			name: "half a GiB", pool: linux(size("Standard_B1ls")), pod: pod("", "1G"), want: no,
			reasons: []string{
				"resources: requests 0.94 GiB of memory, a node of Standard_B1ls has 0.39 GiB | request " +
					"at most 0.39 GiB of memory, or use larger nodes",
			},
		},
		{
			name: "the resources that a node reserves", pool: linux(size("Standard_D4s_v5"), reserved("140m", "750Mi")),
			pod: pod("3861m", "15Gi"), want: no,
			reasons: []string{
				"resources: requests 3.861 CPUs, a node of Standard_D4s_v5 has 4, reserves 0.14 and leaves 3.86 for " +
					"pods | request at most 3.86 CPUs, or use larger nodes",
				"resources: requests 15 GiB of memory, a node of Standard_D4s_v5 has 15.65 GiB, reserves 0.74 GiB " +
					"and leaves 14.91 GiB for pods | request at most 14.91 GiB of memory, or use larger nodes",
			},
		},
		{
			name: "the resources that a node has for pods",
			pool: linux(size("Standard_D4s_v5"), reserved("140m", "750Mi")),
			pod:  pod("3860m", "15278Mi"), want: yes,
		},
		{
			name: "an unknown size refuses nothing", pool: linux(size("")), pod: pod("1000", "1000Ti"),
			want: yes,
		},
		{
			name: "other resources do not count", pod: placement.Pod{Requests: mustList("nvidia.com/gpu", "8")},
			want: yes,
		},
		{name: "the overhead fits", pod: withOverhead(pod("3", "7Gi"), "1", "8Gi"), want: yes},
		{
			name: "the overhead does not", pod: withOverhead(pod("3900m", ""), "250m", ""), want: no,
			reasons: []string{
				"resources: requests 4.15 CPUs with the overhead of RuntimeClass kata, a node of Standard_D4s_v5 has " +
					"4 | request at most 4 CPUs, or use larger nodes",
			},
		},
		{
			name: "the overhead is for another resource", pod: withOverhead(pod("16", ""), "", "1Gi"), want: no,
			reasons: []string{
				"resources: requests 16 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
			},
		},
		{
			name: "the overhead is the whole request", pod: withOverhead(placement.Pod{}, "5", ""), want: no,
			reasons: []string{
				"resources: requests 5 CPUs with the overhead of RuntimeClass kata, a node of Standard_D4s_v5 has 4 " +
					"| request at most 4 CPUs, or use larger nodes",
			},
		},
		{
			name: "unknown requests may be too large", pod: placement.Pod{Unknown: placement.PartRequests},
			want: unknown,
		},
		{
			name: "unknown requests do not count for an unknown size", pool: linux(size("")),
			pod: placement.Pod{Unknown: placement.PartRequests}, want: yes,
		},
		{
			name: "the known part of the requests is too large", want: no,
			pod: placement.Pod{Requests: requests("16", ""), Unknown: placement.PartRequests},
			reasons: []string{
				"resources: requests 16 CPUs, a node of Standard_D4s_v5 has 4 | request at most 4 CPUs, or use " +
					"larger nodes",
			},
		},
	})
}

func TestOverheadDoesNotChangeTheRequests(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{
		Requests:     requests("1", ""),
		RuntimeClass: &placement.RuntimeClass{Name: "kata", Overhead: requests("1", "")},
	}
	place(pod, mixed()...)
	cpu, overhead := pod.Requests["cpu"], pod.RuntimeClass.Overhead["cpu"]
	if cpu.String() != "1" || overhead.String() != "1" {
		t.Errorf("requests are now %s, overhead %s", &cpu, &overhead)
	}
}

func mustList(name corev1.ResourceName, quantity string) corev1.ResourceList {
	return corev1.ResourceList{name: resource.MustParse(quantity)}
}
