package topology

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/noderoom"
	"github.com/mixedkube/mixedkube/internal/vm"
)

// Cloud is a managed service that the cluster is of. Its pools have defaults of their own, and
// rules that hold for one service only look at it. Clusters of AKS need none: package aks makes
// and describes them.
type Cloud string

const (
	// EKS is Amazon Elastic Kubernetes Service. Its Windows pools have no taint by default, neither
	// those of managed node groups nor others
	// (https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html).
	EKS Cloud = "eks"
	// GKE is Google Kubernetes Engine in mode Standard. Its Windows pools have [GKEWindowsTaint], and
	// all pools [LabelGKENodePool]
	// (https://docs.cloud.google.com/kubernetes-engine/docs/how-to/creating-a-cluster-windows).
	GKE Cloud = "gke"
)

// Clouds are all clouds, in alphabetical order.
func Clouds() []Cloud { return []Cloud{EKS, GKE} }

// GKEWindowsTaint is the taint that GKE gives to Windows nodes by itself:
// node.kubernetes.io/os=windows:NoSchedule.
func GKEWindowsTaint() corev1.Taint {
	return corev1.Taint{Key: "node.kubernetes.io/os", Value: "windows", Effect: corev1.TaintEffectNoSchedule}
}

// Labels of nodes by which clouds say which pool a node is of.
const (
	// LabelGKENodePool has the pool's name on each node of GKE.
	LabelGKENodePool = "cloud.google.com/gke-nodepool"
	// LabelEKSNodeGroup has the name of a managed node group of EKS. Nodes that you manage yourself
	// do not have it, so it is no default: give it in [Pool.Labels].
	LabelEKSNodeGroup = "eks.amazonaws.com/nodegroup"
)

// pool gives a pool what the cloud's nodes register with, where it does not say otherwise.
func (c Cloud) pool(p Pool) Pool {
	plain := p.Platform.IsWindows() && len(p.Taints) == 0 && !p.Untainted
	switch c {
	case EKS:
		p.Untainted = p.Untainted || plain
	case GKE:
		if plain {
			p.Taints = []corev1.Taint{GKEWindowsTaint()}
		}
		if _, given := p.Labels[LabelGKENodePool]; !given && p.Name != "" {
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

// reserved is what the cloud's nodes keep from their pods, nil if that is not known.
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
	return field.ErrorList{field.Invalid(path, c,
		cmp.Or(otherClouds[c], choose("valid clouds are", c, Clouds())+"; leave it out for any other cluster"))}
}

// otherClouds are values that people may expect.
var otherClouds = map[Cloud]string{
	"aks": "AKS has no value: leave it out, and write the taints of the pools as kubectl shows them",
}
