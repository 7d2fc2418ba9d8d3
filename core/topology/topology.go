package topology

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Topology describes a cluster with a Linux control plane and node pools of
// one or more platforms.
type Topology struct {
	// KubernetesVersion is the version of the control plane, "1.36" or "1.36.3", with or without a leading "v". Empty
	// means unknown, for example for an existing cluster: rules about versions are skipped then.
	KubernetesVersion string `json:"kubernetesVersion,omitzero" pulumi:"kubernetesVersion,optional"`

	// Cloud is the managed service that runs the cluster: [AKS], [EKS] or [GKE]. Pools of EKS and GKE have their own
	// defaults, and rules about a service apply to its clusters only. Empty means any other cluster.
	Cloud Cloud `json:"cloud,omitzero" pulumi:"cloud,optional"`

	// Pools are the cluster's node pools, in any order. At least one of them must be a Linux pool: cluster add-ons such
	// as CoreDNS run on Linux only.
	Pools []Pool `json:"pools,omitzero" pulumi:"pools"`

	// MissingFeatures lists the features that the cluster does not have: workloads that need one are reported. The
	// default is none. See [Topology.With].
	MissingFeatures []Feature `json:"missingFeatures,omitzero" pulumi:"missingFeatures,optional"`

	// Matching is how closely the Windows release of an image must match the release of its node. The default is
	// [platform.Strict]; [platform.Relaxed] is for nodes whose containerd also runs the images of Windows Server 2022
	// on later releases.
	Matching platform.Matching `json:"matching,omitzero" pulumi:"matching,optional"`

	// Partial means that the cluster may have pools that are not listed, for example pools that another team adds, or
	// nodes that Karpenter or the node auto-provisioning of AKS creates. Pods that fit none of the listed pools are
	// then warnings, not errors. The default is a complete list.
	Partial bool `json:"partial,omitzero" pulumi:"partial,optional"`

	// RuntimeClasses are all RuntimeClasses of the cluster, except those that the program itself creates: pods that
	// name another one are errors, and the scheduling of these decides where pods land. An empty list means that there
	// are none. The default is that they are not known.
	RuntimeClasses []RuntimeClass `json:"runtimeClasses,omitzero" pulumi:"runtimeClasses,optional"`

	// Leaving are the pools whose nodes an update drains, because it replaces or removes them: with their present
	// properties, and a second time with the desired ones if they stay. The findings about PodDisruptionBudgets name
	// those that would stop it. A component that looks its cluster up sets it. It is true of one update only, so it is
	// not part of files and of outputs of stacks.
	Leaving []Pool `json:"-" pulumi:"-"`
}

// IsSet reports whether any field of the topology is set. An optional topology without any field counts as not set, and
// is not validated.
func (t Topology) IsSet() bool {
	return len(t.Pools) > 0 || t.KubernetesVersion != "" || len(t.MissingFeatures) > 0 || t.Cloud != "" ||
		t.Matching != "" || t.Partial || t.RuntimeClasses != nil
}

// Pool is a group of nodes of one platform and one size.
type Pool struct {
	// Name identifies the pool in its topology: a DNS label (lower-case letters, digits and hyphens, at most 63).
	// Clouds have stricter rules: AKS allows at most 6 letters and digits for a Windows pool.
	Name string `json:"name,omitzero" pulumi:"name"`

	// Platform is the platform of the nodes: [platform.Linux], [platform.WindowsServer2019],
	// [platform.WindowsServer2022] or [platform.WindowsServer2025]. It has no default.
	Platform platform.Platform `json:"platform,omitzero" pulumi:"platform"`

	// Mode is which pods the pool hosts: [System] pools also host the cluster's own system pods, and must be Linux
	// pools. The default is [User].
	Mode Mode `json:"mode,omitzero" pulumi:"mode,optional"`

	// Count is the number of nodes; 0 means the default of 1. With Autoscaling it is the initial number, and the
	// default is the smallest number, at least 1.
	Count int `json:"count,omitzero" pulumi:"count,optional"`

	// Empty means that the pool has no nodes for now. With Autoscaling it starts without nodes.
	Empty bool `json:"empty,omitzero" pulumi:"empty,optional"`

	// Autoscaling lets a cluster autoscaler choose the number of nodes. The zero value means that the pool always has
	// Count nodes.
	Autoscaling Autoscaling `json:"autoscaling,omitzero" pulumi:"autoscaling,optional"`

	// Size is the machine size as the cloud names it, for example "Standard_D4s_v5". Empty means unknown; see
	// [Pool.Capacity] and [Pool.Architecture]. A Windows pool cannot have an Arm64 size.
	Size string `json:"size,omitzero" pulumi:"size,optional"`

	// OSDiskSizeGB is the size of a node's disk in GB; 0 means the cloud's default.
	OSDiskSizeGB int `json:"osDiskSizeGB,omitzero" pulumi:"osDiskSizeGB,optional"`

	// OSDiskType is where that disk is: [ManagedDisk] or [EphemeralDisk]. Empty means the cloud's default.
	OSDiskType OSDiskType `json:"osDiskType,omitzero" pulumi:"osDiskType,optional"`

	// Zones are the availability zones of the nodes, as the cloud names them: "1", "2", "3" in Azure. Empty means that
	// the cloud chooses.
	Zones []string `json:"zones,omitzero" pulumi:"zones,optional"`

	// Spot uses spare machines, which the cloud can reclaim at any time. A pool of mode [System] cannot use them.
	Spot bool `json:"spot,omitzero" pulumi:"spot,optional"`

	// SpotMaxPrice is the maximum price of one node in US dollars per hour. 0 means any price up to that of a regular
	// machine. Only for Spot.
	SpotMaxPrice float64 `json:"spotMaxPrice,omitzero" pulumi:"spotMaxPrice,optional"`

	// FIPS creates nodes with cryptography that is validated by FIPS 140. Azure requires it for Windows Server 2025.
	FIPS bool `json:"fips,omitzero" pulumi:"fips,optional"`

	// DisableOutboundNAT disables address translation on Windows nodes for pods that connect to addresses outside of
	// the cluster. Only for Windows.
	DisableOutboundNAT bool `json:"disableOutboundNAT,omitzero" pulumi:"disableOutboundNAT,optional"`

	// MaxPods is the maximum number of pods on a node; 0 means the default of the cloud or the kubelet.
	MaxPods int `json:"maxPods,omitzero" pulumi:"maxPods,optional"`

	// Reserved is the cpu and memory that a node does not offer to pods, including the eviction threshold (see
	// [Pool.Allocatable]). It is for existing clusters: components that create clusters replace it with their own
	// values. Empty means unknown.
	Reserved corev1.ResourceList `json:"reserved,omitzero" pulumi:"reserved,optional"`

	// Reported is what the nodes report, if known. It takes precedence over the values of the size. [FromNodes] sets
	// it.
	Reported Reported `json:"reported,omitzero" pulumi:"reported,optional"`

	// Upgrade configures how nodes are replaced when the pool is upgraded.
	Upgrade Upgrade `json:"upgrade,omitzero" pulumi:"upgrade,optional"`

	// KubernetesVersion is the version of the nodes' kubelet. The default is the version of the control plane. It may
	// be up to three minor versions older, and never newer.
	KubernetesVersion string `json:"kubernetesVersion,omitzero" pulumi:"kubernetesVersion,optional"`

	// Labels are set on the nodes in addition to the labels that the kubelet sets (see [Pool.NodeLabels]), which are
	// not allowed here. Zone and region are allowed: without a cloud provider, nothing else sets them.
	Labels map[string]string `json:"labels,omitzero" pulumi:"labels,optional"`

	// Taints are the taints that nodes register with. The default for a Windows pool is [WindowsTaint] unless
	// [Topology.Cloud] has another default, and for a Linux pool none. Setting Taints replaces the default.
	Taints []corev1.Taint `json:"taints,omitzero" pulumi:"taints,optional"`

	// Untainted is a pool without any taint. A Windows pool then also accepts pods for other systems, unless they
	// select their nodes.
	Untainted bool `json:"untainted,omitzero" pulumi:"untainted,optional"`
}

// Mode is which pods a pool is for, as in AKS.
type Mode string

const (
	// User pools run the cluster's workloads. This is the default.
	User Mode = "User"
	// System pools also run the cluster's own pods. Windows pools cannot.
	System Mode = "System"
)

// Autoscaling is the range within which a cluster autoscaler chooses the number of nodes.
type Autoscaling struct {
	// Min is the smallest number of nodes. It may be 0 in a pool of mode [User].
	Min int `json:"min,omitzero" pulumi:"min,optional"`
	// Max is the largest number of nodes; 0 means no autoscaling.
	Max int `json:"max,omitzero" required:"set the maximum number of nodes" pulumi:"max"`
}

// Enabled reports whether an autoscaler chooses the number of nodes.
func (a Autoscaling) Enabled() bool { return a != Autoscaling{} }

// ScalesFromZero reports whether a cluster autoscaler may have to create the pool's first node. The autoscaler then
// knows only the labels that the cloud reports for the pool, not those that only the kubelet sets, such as
// [LabelWindowsBuild].
func (p Pool) ScalesFromZero() bool { return p.Autoscaling.Enabled() && p.Autoscaling.Min == 0 }

// OSDiskType is where the disk of a node's operating system is, as in Azure.
type OSDiskType string

const (
	// ManagedDisk is a separate disk that outlives the machine.
	ManagedDisk OSDiskType = "Managed"
	// EphemeralDisk is on the machine itself and is deleted with it.
	EphemeralDisk OSDiskType = "Ephemeral"
)

// Upgrade configures how the nodes of a pool are replaced in an upgrade. A number of nodes is written as "1" or "33%".
// The cloud chooses a value that is empty or 0.
type Upgrade struct {
	// MaxSurge is how many nodes there may be in addition to the nodes of the pool.
	MaxSurge string `json:"maxSurge,omitzero" number:"a whole number or a percentage, 1 or \"33%\"" pulumi:"maxSurge,optional"` //nolint:lll // a tag is one line
	// MaxUnavailable is how many of the pool's nodes may be unavailable.
	MaxUnavailable string `json:"maxUnavailable,omitzero" number:"a whole number or a percentage, 1 or \"33%\"" pulumi:"maxUnavailable,optional"` //nolint:lll // a tag is one line
	// DrainTimeoutMinutes is how long to wait for the pods of one node to leave, in minutes.
	DrainTimeoutMinutes int `json:"drainTimeoutMinutes,omitzero" pulumi:"drainTimeoutMinutes,optional"`
	// NodeSoakMinutes is how long to wait after one node before the next one is replaced, in minutes.
	NodeSoakMinutes int `json:"nodeSoakMinutes,omitzero" pulumi:"nodeSoakMinutes,optional"`
	// UndrainableNodes is what happens with nodes whose pods do not leave in time: [Schedule] or [Cordon].
	UndrainableNodes UndrainableNodes `json:"undrainableNodes,omitzero" pulumi:"undrainableNodes,optional"`
}

// UndrainableNodes is what an upgrade does with nodes that cannot be drained, as in AKS
// (https://learn.microsoft.com/azure/aks/upgrade-options).
type UndrainableNodes string

const (
	// Schedule lets pods start on the node again, and the upgrade fails. It is AKS' default.
	Schedule UndrainableNodes = "Schedule"
	// Cordon leaves the node cordoned, with another node instead, and the upgrade continues.
	Cordon UndrainableNodes = "Cordon"
)

// MaxCount is the largest [Pool.Count]: the number of nodes that Kubernetes supports in a cluster
// (https://kubernetes.io/docs/setup/best-practices/cluster-large/). Clouds have lower limits: AKS allows 1000 nodes in
// a pool.
const MaxCount = 5000

// Platforms returns the platforms of the topology's pools, without duplicates, in the order of [platform.All].
func (t Topology) Platforms() []platform.Platform {
	return slices.DeleteFunc(platform.All(), func(p platform.Platform) bool {
		return !slices.ContainsFunc(t.Pools, func(pool Pool) bool { return pool.Platform == p })
	})
}

// Lacks describes that no pool runs a platform: which platforms there are instead. It returns "" if a pool runs it, and
// without pools. Other pools may run it if the topology is [Topology.Partial].
func (t Topology) Lacks(p platform.Platform) string {
	if len(t.Pools) == 0 || len(t.PoolsOf(p)) > 0 {
		return ""
	}
	text := "no pool of the topology runs it, only " + platform.Join(t.Platforms())
	if t.Partial {
		text += "; the topology is partial, so another pool may"
	}
	return text
}

// LacksHosts is Lacks for the platform of images, which nodes of other platforms may run: see [Topology.Hosts].
func (t Topology) LacksHosts(image platform.Platform) string {
	hosts := t.Hosts(image)
	if slices.ContainsFunc(t.Platforms(), func(p platform.Platform) bool { return slices.Contains(hosts, p) }) {
		return ""
	}
	return t.Lacks(image)
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
