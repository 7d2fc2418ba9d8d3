package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestNodes(t *testing.T) {
	t.Parallel()
	nodes := Nodes(topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Labels: map[string]string{"team": "web"}},
			{
				Name: "old", Platform: platform.WindowsServer2022, KubernetesVersion: "1.34", Size: "Standard_D8s_v5",
				Count: 2,
				Reserved: corev1.ResourceList{
					"cpu": resource.MustParse("180m"), "memory": resource.MustParse("2698Mi"),
				},
			},
			{Name: "arm", Platform: platform.Linux, Size: "Standard_D4ps_v5", MaxPods: 250},
			{Name: "none", Platform: platform.WindowsServer2025, Empty: true},
		},
	}.WithDefaults(), "v1.36.3")

	capacity := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{
			"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory),
			"pods": resource.MustParse("110"),
		}
	}
	many := capacity("4", "16028Mi")
	many["pods"] = resource.MustParse("250")
	windows := func(name string) *corev1.Node {
		return &corev1.Node{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{
				Name: name,
				Labels: map[string]string{
					"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name,
					"beta.kubernetes.io/os": "windows", "beta.kubernetes.io/arch": "amd64",
					"node.kubernetes.io/windows-build": "10.0.20348",
					"node.kubernetes.io/instance-type": "Standard_D8s_v5",
				},
				Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
			},
			Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}}},
			Status: corev1.NodeStatus{
				Capacity: capacity("8", "33553972Ki"), Allocatable: capacity("7820m", "30791220Ki"),
				NodeInfo: corev1.NodeSystemInfo{
					OperatingSystem: "windows", Architecture: "amd64", OSImage: "Windows Server 2022 Datacenter",
					KernelVersion: "10.0.20348", KubeletVersion: "v1.34.0",
					ContainerRuntimeVersion: "containerd://simulated",
				},
			},
		}
	}
	want := []*corev1.Node{
		{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{
				Name: "linux-0",
				Labels: map[string]string{
					"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": "linux-0",
					"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64", "team": "web",
				},
				Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
			},
			Status: corev1.NodeStatus{
				Capacity: capacity("4", "16Gi"), Allocatable: capacity("4", "16Gi"),
				NodeInfo: corev1.NodeSystemInfo{
					OperatingSystem: "linux", Architecture: "amd64", OSImage: "Linux",
					KernelVersion: "simulated", KubeletVersion: "v1.36.3",
					ContainerRuntimeVersion: "containerd://simulated",
				},
			},
		},
		windows("old-0"), windows("old-1"),
		{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{
				Name: "arm-0",
				Labels: map[string]string{
					"kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64", "kubernetes.io/hostname": "arm-0",
					"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "arm64",
					"node.kubernetes.io/instance-type": "Standard_D4ps_v5",
				},
				Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
			},
			Status: corev1.NodeStatus{
				Capacity: many, Allocatable: many,
				NodeInfo: corev1.NodeSystemInfo{
					OperatingSystem: "linux", Architecture: "arm64", OSImage: "Linux",
					KernelVersion: "simulated", KubeletVersion: "v1.36.3",
					ContainerRuntimeVersion: "containerd://simulated",
				},
			},
		},
	}
	if diff := cmp.Diff(want, nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

func TestKubeletVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, pool, want string }{
		{"no version is the control plane's", "", "v1.36.3"},
		{"the same minor is the control plane's patch release", "1.36", "v1.36.3"},
		{"a patch release of the same minor is retained", "1.36.1", "v1.36.1"},
		{"an older minor is its first release", "v1.34", "v1.34.0"},
		{"an older patch release is retained", "1.35.4", "v1.35.4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := kubeletVersion(c.pool, "v1.36.3"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
