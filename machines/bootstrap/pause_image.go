package bootstrap

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// PauseImageOf returns the image of the pods' sandboxes on the nodes of a pool: the one that is
// given, or that of the pool's version of Kubernetes.
func (r Releases) PauseImageOf(pool topology.Pool) string {
	return cmp.Or(r.PauseImage, PauseImage(pool.Platform, pool.KubernetesVersion))
}

// PauseImage returns the image of a pod's sandbox on nodes of a platform whose kubelets have a
// version of Kubernetes, 1.36 or 1.36.1 for example. It is part of containerd's configuration:
// Kubernetes 1.35 removed the kubelet's flag for it. Windows Server 2025 has the newest image
// with every version, because older tags have none for it; so has an invalid version.
func PauseImage(p platform.Platform, kubernetesVersion string) string {
	const repository = "registry.k8s.io/pause:"
	version, known := kubeversion.Parse(kubernetesVersion)
	if !known || p == platform.WindowsServer2025 {
		return repository + facts.PauseImages[0].Tag
	}
	// The last one is of every version.
	i := slices.IndexFunc(facts.PauseImages,
		func(image facts.PauseImage) bool { return version.Compare(image.Since) >= 0 })
	return repository + facts.PauseImages[i].Tag
}
