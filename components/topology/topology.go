package topology

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Topology describes a cluster with a Linux control plane and node pools of
// one or more platforms.
type Topology struct {
	// KubernetesVersion is the version of the control plane, "1.36" or
	// "1.36.3", with or without a leading "v". Empty means that it is not
	// known, as for a cluster made elsewhere: rules about versions are skipped.
	KubernetesVersion string

	// Pools are the cluster's node pools, in no particular order. At least one
	// of them is a Linux pool: cluster add-ons such as CoreDNS run on Linux only.
	Pools []Pool
}

// Pool is a group of nodes of one platform and one size.
type Pool struct {
	// Name identifies the pool in its topology: a DNS label (lower-case
	// letters, digits and hyphens, at most 63). Clouds have narrower rules; AKS
	// wants at most 6 letters and digits for a Windows pool.
	Name string

	// Platform is what the nodes run: [platform.Linux],
	// [platform.WindowsServer2019], [platform.WindowsServer2022] or
	// [platform.WindowsServer2025]. It has no default.
	Platform platform.Platform

	// Mode says whether the pool hosts the cluster's own system pods. The
	// default is [User]; [System] is for Linux pools only.
	Mode Mode

	// Count is the number of nodes, 1 by default. [NoNodes] is a pool that has
	// none for now.
	Count int

	// Size is the machine size in the cloud's words, "Standard_D4s_v5" for
	// example. Empty means that it is not known; see [Pool.Capacity] and
	// [Pool.Architecture]. A Windows pool cannot have an Arm64 size.
	Size string

	// KubernetesVersion is the version of the nodes' kubelet. The default is
	// the control plane's. It may be up to three minor versions older, and is
	// never newer.
	KubernetesVersion string

	// Labels are set on the nodes beside those that the kubelet sets itself
	// (see [Pool.NodeLabels]), which cannot be given here. Zone and region can:
	// without a cloud provider nobody else sets them.
	Labels map[string]string

	// Taints are registered with the nodes. The default of a Windows pool is
	// [WindowsTaint], of a Linux pool none. What is given replaces the default;
	// an empty slice that is not nil means no taint.
	Taints []corev1.Taint
}

// Mode says which pods a pool is for, in AKS' words.
type Mode string

const (
	// User pools run the cluster's workloads. It is the default.
	User Mode = "User"
	// System pools run the cluster's own pods as well. Windows cannot.
	System Mode = "System"
)

// NoNodes is the [Pool.Count] of a pool without nodes, as 0 stands for the
// default of one.
const NoNodes = -1

// MaxCount is the largest [Pool.Count]: as many nodes as Kubernetes supports in
// a cluster (https://kubernetes.io/docs/setup/best-practices/cluster-large/).
// Clouds have narrower limits; AKS takes 1000 in a pool.
const MaxCount = 5000

// WithDefaults returns a copy in which everything that was left out has its
// default. It shares nothing with t, and applying it again changes nothing.
func (t Topology) WithDefaults() Topology {
	t.Pools = slices.Clone(t.Pools)
	for i := range t.Pools {
		t.Pools[i] = t.Pools[i].withDefaults(t.KubernetesVersion)
	}
	return t
}

func (p Pool) withDefaults(controlPlane string) Pool {
	if p.Mode == "" {
		p.Mode = User
	}
	if p.Count == 0 {
		p.Count = 1
	}
	if p.KubernetesVersion == "" {
		p.KubernetesVersion = controlPlane
	}
	p.Labels = maps.Clone(p.Labels)
	if p.Taints == nil && p.Platform.IsWindows() {
		p.Taints = []corev1.Taint{WindowsTaint()}
	}
	p.Taints = slices.Clone(p.Taints)
	for i := range p.Taints {
		p.Taints[i] = *p.Taints[i].DeepCopy()
	}
	return p
}

// Nodes is the number of nodes of a pool that has its defaults.
func (p Pool) Nodes() int {
	return max(p.Count, 0)
}

// Platforms lists the platforms that the topology has pools of, each once, in
// the order of [platform.All].
func (t Topology) Platforms() []platform.Platform {
	return slices.DeleteFunc(platform.All(), func(p platform.Platform) bool {
		return len(t.PoolsOf(p)) == 0
	})
}

// PoolsOf returns the pools of one platform, in the topology's order.
func (t Topology) PoolsOf(p platform.Platform) []Pool {
	var pools []Pool
	for _, pool := range t.Pools {
		if pool.Platform == p {
			pools = append(pools, pool)
		}
	}
	return pools
}
