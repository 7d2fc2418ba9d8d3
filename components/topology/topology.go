package topology

import (
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
	KubernetesVersion string `json:"kubernetesVersion,omitzero" pulumi:"kubernetesVersion,optional"`

	// Cloud is the managed service that the cluster is of: [EKS] or [GKE], whose pools have
	// defaults of their own. Empty is any other cluster.
	Cloud Cloud `json:"cloud,omitzero" pulumi:"cloud,optional"`

	// Pools are the cluster's node pools, in no particular order. At least one
	// of them is a Linux pool: cluster add-ons such as CoreDNS run on Linux only.
	Pools []Pool `json:"pools,omitzero" pulumi:"pools"`

	// Lacks names the features that the cluster does not have: workloads that need one
	// are a mistake there. The default is none. See [Topology.With].
	Lacks []Feature `json:"lacks,omitzero" pulumi:"lacks,optional"`

	// Matching is how well the Windows release of an image must match that of its node. The
	// default is [platform.Strict]; [platform.Relaxed] is for nodes whose containerd also runs
	// the images of Windows Server 2022 on later releases.
	Matching platform.Matching `json:"matching,omitzero" pulumi:"matching,optional"`
}

// Given reports whether anything is said of the cluster. Where a topology is optional, one
// that says nothing counts as left out, and is not validated.
func (t Topology) Given() bool {
	return len(t.Pools) > 0 || t.KubernetesVersion != "" || len(t.Lacks) > 0 || t.Cloud != "" || t.Matching != ""
}

// Pool is a group of nodes of one platform and one size.
type Pool struct {
	// Name identifies the pool in its topology: a DNS label (lower-case
	// letters, digits and hyphens, at most 63). Clouds have narrower rules; AKS
	// wants at most 6 letters and digits for a Windows pool.
	Name string `json:"name,omitzero" pulumi:"name"`

	// Platform is what the nodes run: [platform.Linux],
	// [platform.WindowsServer2019], [platform.WindowsServer2022] or
	// [platform.WindowsServer2025]. It has no default.
	Platform platform.Platform `json:"platform,omitzero" pulumi:"platform"`

	// Mode reports whether the pool hosts the cluster's own system pods. The
	// default is [User]; [System] is for Linux pools only.
	Mode Mode `json:"mode,omitzero" pulumi:"mode,optional"`

	// Count is the number of nodes; 0 is the default of 1. With Autoscaling it is the
	// number at the beginning, and the default is the smallest number, at least 1.
	Count int `json:"count,omitzero" pulumi:"count,optional"`

	// Empty is a pool that has no nodes for now. With Autoscaling it begins with none.
	Empty bool `json:"empty,omitzero" pulumi:"empty,optional"`

	// Autoscaling leaves the number of nodes to a cluster autoscaler. The zero
	// value is a pool that always has Count nodes.
	Autoscaling Autoscaling `json:"autoscaling,omitzero" pulumi:"autoscaling,optional"`

	// Size is the machine size in the cloud's words, "Standard_D4s_v5" for
	// example. Empty means that it is not known; see [Pool.Capacity] and
	// [Pool.Architecture]. A Windows pool cannot have an Arm64 size.
	Size string `json:"size,omitzero" pulumi:"size,optional"`

	// OSDiskSizeGB is the size of a node's disk in GB; 0 is the cloud's default.
	OSDiskSizeGB int `json:"osDiskSizeGB,omitzero" pulumi:"osDiskSizeGB,optional"`

	// OSDiskType is where that disk is: [ManagedDisk] or [EphemeralDisk]. Empty is
	// the cloud's default.
	OSDiskType OSDiskType `json:"osDiskType,omitzero" pulumi:"osDiskType,optional"`

	// Zones are the availability zones that the nodes are spread over, in the
	// cloud's words: "1", "2", "3" in Azure. Empty leaves it to the cloud.
	Zones []string `json:"zones,omitzero" pulumi:"zones,optional"`

	// Spot takes unused machines, which the cloud can take back at any time. A
	// pool of mode [System] cannot.
	Spot bool `json:"spot,omitzero" pulumi:"spot,optional"`

	// SpotMaxPrice is the most to pay for one node, in US dollars an hour. 0 is any
	// price up to that of an ordinary machine. Only for Spot.
	SpotMaxPrice float64 `json:"spotMaxPrice,omitzero" pulumi:"spotMaxPrice,optional"`

	// FIPS makes nodes whose cryptography is validated by FIPS 140. Azure asks for
	// it with Windows Server 2025.
	FIPS bool `json:"fips,omitzero" pulumi:"fips,optional"`

	// DisableOutboundNAT stops Windows nodes from translating the addresses of
	// pods that leave the cluster. Only for Windows.
	DisableOutboundNAT bool `json:"disableOutboundNAT,omitzero" pulumi:"disableOutboundNAT,optional"`

	// MaxPods is the largest number of pods on a node; 0 is the default of the
	// cloud or the kubelet.
	MaxPods int `json:"maxPods,omitzero" pulumi:"maxPods,optional"`

	// Reserved is what a node keeps from its pods, cpu and memory, the eviction threshold
	// included (see [Pool.Allocatable]). It is for clusters that are made elsewhere: the
	// components that make clusters put their own in its place. Empty means that it is not
	// known.
	Reserved corev1.ResourceList `json:"reserved,omitzero" pulumi:"reserved,optional"`

	// Reported is what the nodes report, where that is known: it stands for what the size
	// tells. [FromNodes] fills it in.
	Reported Reported `json:"reported,omitzero" pulumi:"reported,optional"`

	// Upgrade says how nodes are replaced when the pool is upgraded.
	Upgrade Upgrade `json:"upgrade,omitzero" pulumi:"upgrade,optional"`

	// KubernetesVersion is the version of the nodes' kubelet. The default is
	// the control plane's. It may be up to three minor versions older, and is
	// never newer.
	KubernetesVersion string `json:"kubernetesVersion,omitzero" pulumi:"kubernetesVersion,optional"`

	// Labels are set on the nodes beside those that the kubelet sets itself
	// (see [Pool.NodeLabels]), which cannot be given here. Zone and region can:
	// without a cloud provider nobody else sets them.
	Labels map[string]string `json:"labels,omitzero" pulumi:"labels,optional"`

	// Taints are registered with the nodes. The default of a Windows pool is
	// [WindowsTaint] unless [Topology.Cloud] has another, of a Linux pool none. What is
	// given replaces the default.
	Taints []corev1.Taint `json:"taints,omitzero" pulumi:"taints,optional"`

	// Untainted is a pool without any taint: a Windows pool then takes the pods of
	// other systems as well, if they do not select their nodes.
	Untainted bool `json:"untainted,omitzero" pulumi:"untainted,optional"`
}

// Mode says which pods a pool is for, in AKS' words.
type Mode string

const (
	// User pools run the cluster's workloads. It is the default.
	User Mode = "User"
	// System pools run the cluster's own pods as well. Windows cannot.
	System Mode = "System"
)

// Autoscaling is the range in which a cluster autoscaler chooses the number of
// nodes.
type Autoscaling struct {
	// Min is the smallest number of nodes. It may be 0 in a pool of mode [User].
	Min int `json:"min,omitzero" pulumi:"min,optional"`
	// Max is the largest number of nodes; 0 means that there is no autoscaling.
	Max int `json:"max,omitzero" required:"say how many nodes there may be at most" pulumi:"max"`
}

// Enabled reports whether an autoscaler chooses the number of nodes.
func (a Autoscaling) Enabled() bool { return a != Autoscaling{} }

// ScalesFromZero reports whether a cluster autoscaler may have to give the pool its first
// node. It then knows of the node what the cloud tells about the pool, and not what only
// the kubelet does, such as [LabelWindowsBuild].
func (p Pool) ScalesFromZero() bool { return p.Autoscaling.Enabled() && p.Autoscaling.Min == 0 }

// OSDiskType is where the disk of a node's operating system is, in Azure's words.
type OSDiskType string

const (
	// ManagedDisk is a disk of its own, that outlives the machine.
	ManagedDisk OSDiskType = "Managed"
	// EphemeralDisk is on the machine itself, and gone with it.
	EphemeralDisk OSDiskType = "Ephemeral"
)

// Upgrade says how the nodes of a pool are replaced in an upgrade. A number of
// nodes is written as "1" or "33%"; what is empty or 0 is left to the cloud.
type Upgrade struct {
	// MaxSurge is how many nodes there may be beside those of the pool.
	MaxSurge string `json:"maxSurge,omitzero" number:"a whole number or a percentage, 1 or \"33%\"" pulumi:"maxSurge,optional"` //nolint:lll // a tag is one line
	// MaxUnavailable is how many of the pool's nodes may be away.
	MaxUnavailable string `json:"maxUnavailable,omitzero" number:"a whole number or a percentage, 1 or \"33%\"" pulumi:"maxUnavailable,optional"` //nolint:lll // a tag is one line
	// DrainTimeoutMinutes is how long to wait for the pods of one node to leave.
	DrainTimeoutMinutes int `json:"drainTimeoutMinutes,omitzero" pulumi:"drainTimeoutMinutes,optional"`
	// NodeSoakMinutes is how long to wait after one node before the next.
	NodeSoakMinutes int `json:"nodeSoakMinutes,omitzero" pulumi:"nodeSoakMinutes,optional"`
}

// MaxCount is the largest [Pool.Count]: as many nodes as Kubernetes supports in
// a cluster (https://kubernetes.io/docs/setup/best-practices/cluster-large/).
// Clouds have narrower limits; AKS takes 1000 in a pool.
const MaxCount = 5000

// Platforms lists the platforms that the topology has pools of, each once, in
// the order of [platform.All].
func (t Topology) Platforms() []platform.Platform {
	return slices.DeleteFunc(platform.All(), func(p platform.Platform) bool {
		return !slices.ContainsFunc(t.Pools, func(pool Pool) bool { return pool.Platform == p })
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
