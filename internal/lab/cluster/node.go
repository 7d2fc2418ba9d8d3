package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

const (
	// managedByKWOK makes KWOK simulate the node's kubelet.
	managedByKWOK = "kwok.x-k8s.io/node"

	// defaultPods is the default of a kubelet's maxPods.
	defaultPods = 110
)

// defaultCapacity is the capacity of a node whose size is not known.
var defaultCapacity = corev1.ResourceList{
	corev1.ResourceCPU:    resource.MustParse("4"),
	corev1.ResourceMemory: resource.MustParse("16Gi"),
}

// Nodes returns the nodes of a topology as their kubelets would register them, in
// the order of the pools. The nodes have the version of the control plane, v1.36.3
// for example, unless their pool has an older one.
func Nodes(t topology.Defaulted, controlPlane string) []*corev1.Node {
	var nodes []*corev1.Node
	for _, pool := range t.Pools {
		for i := range pool.Count {
			nodes = append(nodes, Node(pool, fmt.Sprintf("%s-%d", pool.Name, i), controlPlane))
		}
	}
	return nodes
}

// Node returns one node of a pool, with its name.
func Node(pool topology.Pool, name, controlPlane string) *corev1.Node {
	capacity, ok := pool.NodeCapacity()
	allocatable, _ := pool.Allocatable()
	if !ok {
		capacity = maps.Clone(defaultCapacity)
		allocatable = noderoom.Allocatable(capacity, pool.Reserved)
	}
	for _, list := range []corev1.ResourceList{capacity, allocatable} {
		list[corev1.ResourcePods] = *resource.NewQuantity(int64(cmp.Or(pool.MaxPods, defaultPods)), resource.DecimalSI)
	}

	labels := pool.NodeLabels()
	labels[corev1.LabelHostname] = name

	return &corev1.Node{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Labels:      labels,
			Annotations: map[string]string{managedByKWOK: "fake"},
		},
		Spec: corev1.NodeSpec{Taints: slices.Clone(pool.Taints)},
		Status: corev1.NodeStatus{
			Capacity:    capacity,
			Allocatable: allocatable,
			NodeInfo: corev1.NodeSystemInfo{
				OperatingSystem:         string(pool.Platform.OS()),
				Architecture:            pool.Architecture(),
				OSImage:                 osImage(pool),
				KernelVersion:           cmp.Or(pool.Platform.Build(), "simulated"),
				KubeletVersion:          kubeletVersion(pool.KubernetesVersion, controlPlane),
				ContainerRuntimeVersion: "containerd://simulated",
			},
		},
	}
}

func osImage(pool topology.Pool) string {
	if release, ok := pool.Platform.Release(); ok {
		return release.Name + " Datacenter"
	}
	return "Linux"
}

// kubeletVersion returns the control plane's version, unless the pool has another minor
// version, or another patch release of the same minor version.
func kubeletVersion(pool, controlPlane string) string {
	if pool == "" {
		return controlPlane
	}
	want, have := version.MustParseGeneric(pool), version.MustParseGeneric(controlPlane)
	sameMinor := want.Major() == have.Major() && want.Minor() == have.Minor()
	if sameMinor && len(want.Components()) < 3 {
		return controlPlane
	}
	return fmt.Sprintf("v%d.%d.%d", want.Major(), want.Minor(), want.Patch())
}
