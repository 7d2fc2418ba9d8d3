package topology

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Defaulted is a topology in which everything that was left out has its default: it is what
// [Topology.WithDefaults] makes. In its pools, Count is the number of nodes, and Taints are all
// taints.
type Defaulted struct{ Topology }

// WithDefaults returns t with its defaults. The result shares nothing with t.
func (t Topology) WithDefaults() Defaulted {
	t.Pools, t.Lacks = slices.Clone(t.Pools), slices.Clone(t.Lacks)
	for i := range t.Pools {
		t.Pools[i] = t.Cloud.pool(t.Pools[i]).WithDefaults(t.KubernetesVersion)
	}
	return Defaulted{t}
}

// WithDefaults returns the pool with its defaults in a cluster of no [Cloud], whose control plane has a version,
// which may be empty. The result shares nothing with p.
func (p Pool) WithDefaults(controlPlane string) Pool {
	if p.Mode == "" {
		p.Mode = User
	}
	if p.Count == 0 && !p.Empty {
		p.Count = max(1, p.Autoscaling.Min)
	}
	if p.KubernetesVersion == "" {
		p.KubernetesVersion = controlPlane
	}
	p.Labels, p.Reserved = maps.Clone(p.Labels), p.Reserved.DeepCopy()
	p.Reported = p.Reported.clone()
	p.Zones = slices.Clone(p.Zones)
	if len(p.Taints) == 0 && !p.Untainted && p.Platform.IsWindows() {
		p.Taints = []corev1.Taint{WindowsTaint()}
	}
	p.Taints = slices.Clone(p.Taints)
	for i := range p.Taints {
		p.Taints[i] = *p.Taints[i].DeepCopy()
	}
	return p
}
