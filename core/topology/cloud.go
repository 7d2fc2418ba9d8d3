package topology

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// Cloud is the managed service that runs the cluster. Its pools have their own defaults, and rules that apply to one
// service check this value.
type Cloud string

const (
	// AKS is Azure Kubernetes Service. It sets no default: pools have the same defaults as without a cloud. Rules about
	// the versions of Kubernetes and the releases of Windows that AKS supports depend on it. The topologies of package
	// aks have this value.
	AKS Cloud = "aks"
	// EKS is Amazon Elastic Kubernetes Service. Its Windows pools have no taint by default, whether they are managed
	// node groups or not (https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html).
	EKS Cloud = "eks"
	// GKE is Google Kubernetes Engine in Standard mode. Its Windows pools have [GKEWindowsTaint], and all pools have
	// [LabelGKENodePool] (https://docs.cloud.google.com/kubernetes-engine/docs/how-to/creating-a-cluster-windows).
	GKE Cloud = "gke"
)

// Clouds returns all clouds, in alphabetical order.
func Clouds() []Cloud { return []Cloud{AKS, EKS, GKE} }

// GKEWindowsTaint returns the taint that GKE adds to Windows nodes: node.kubernetes.io/os=windows:NoSchedule.
func GKEWindowsTaint() corev1.Taint {
	return corev1.Taint{Key: "node.kubernetes.io/os", Value: "windows", Effect: corev1.TaintEffectNoSchedule}
}

// LabelAKSCluster is set to the name of the node resource group on each node of AKS
// (https://learn.microsoft.com/azure/aks/use-labels).
const LabelAKSCluster = "kubernetes.azure.com/cluster"

// Node labels that name the pool of a node.
const (
	// LabelGKENodePool is set to the pool's name on each node of GKE.
	LabelGKENodePool = "cloud.google.com/gke-nodepool"
	// LabelEKSNodeGroup is set to the name of a managed node group of EKS. Self-managed nodes do not have it, so it is
	// not a default: set it in [Pool.Labels].
	LabelEKSNodeGroup = "eks.amazonaws.com/nodegroup"
)

// pool returns the pool with the taints, labels and reserved resources that the cloud's nodes have, unless the pool
// sets its own.
func (c Cloud) pool(p Pool) Pool {
	plain := p.Platform.IsWindows() && len(p.Taints) == 0 && !p.Untainted
	switch c {
	case EKS:
		p.Untainted = p.Untainted || plain
	case GKE:
		if plain {
			p.Taints = []corev1.Taint{GKEWindowsTaint()}
		}
		if _, isSet := p.Labels[LabelGKENodePool]; !isSet && p.Name != "" {
			p.Labels = maps.Clone(p.Labels)
			if p.Labels == nil {
				p.Labels = map[string]string{}
			}
			p.Labels[LabelGKENodePool] = p.Name
		}
	}
	if p.Reserved == nil {
		p.Reserved = c.reserved(p)
	}
	return p
}

// reserved returns the resources that the cloud's nodes reserve, or nil if they are unknown.
func (c Cloud) reserved(p Pool) corev1.ResourceList {
	capacity, known := p.NodeCapacity()
	switch {
	case !known:
		return nil
	case c == EKS:
		return noderoom.EKS(capacity, p.Platform.IsWindows(), p.MaxPods)
	case c == GKE:
		return noderoom.GKE(capacity, vm.IsSharedCore(p.Size))
	default:
		return nil
	}
}

func validateCloud(c Cloud, path *field.Path) field.ErrorList {
	if c == "" || slices.Contains(Clouds(), c) {
		return nil
	}
	return field.ErrorList{
		field.Invalid(path, c, choose("valid clouds are", c, Clouds())+"; leave it out for any other cluster"),
	}
}
