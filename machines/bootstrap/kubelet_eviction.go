package bootstrap

import "github.com/mixedkube/mixedkube/core/topology"

// The signals of a kubelet (pkg/kubelet/eviction/api/types.go) that can be given: those
// of containerfs follow from the others.
const (
	memoryAvailable   = "memory.available"
	nodefsAvailable   = "nodefs.available"
	nodefsInodesFree  = "nodefs.inodesFree"
	imagefsAvailable  = "imagefs.available"
	imagefsInodesFree = "imagefs.inodesFree"
	pidAvailable      = "pid.available"
)

// evictionSignals returns the signals that a pool's kubelets know. On Windows memory.available
// is one since Kubernetes 1.31, and the skew policy lets no kubelet be older
// ([oldestKubeadm]).
func evictionSignals(p topology.Pool) []string {
	if p.Platform.IsWindows() {
		return []string{memoryAvailable, nodefsAvailable, imagefsAvailable}
	}
	return []string{
		memoryAvailable, nodefsAvailable, nodefsInodesFree, imagefsAvailable, imagefsInodesFree,
		pidAvailable,
	}
}

// evictionDefaults returns the kubelet's own (pkg/kubelet/eviction/defaults_linux.go and
// defaults_windows.go).
func evictionDefaults(p topology.Pool) map[string]string {
	defaults := map[string]string{nodefsAvailable: "10%", imagefsAvailable: "15%"}
	if p.Platform.IsWindows() {
		defaults[memoryAvailable] = "500Mi"
		return defaults
	}
	defaults[memoryAvailable] = "100Mi"
	defaults[nodefsInodesFree] = "5%"
	defaults[imagefsInodesFree] = "5%"
	return defaults
}
