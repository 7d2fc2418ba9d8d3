package bootstrap

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

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

// windowsMemoryEviction is the first version whose kubelet evicts pods on Windows for
// want of memory.
var windowsMemoryEviction = kubeversion.Version{Major: 1, Minor: 31}

// evictionSignals are those that a pool's kubelets know.
func evictionSignals(p topology.Pool) []string {
	if !p.Platform.IsWindows() {
		return []string{memoryAvailable, nodefsAvailable, nodefsInodesFree, imagefsAvailable, imagefsInodesFree, pidAvailable}
	}
	signals := []string{memoryAvailable, nodefsAvailable, imagefsAvailable}
	if !evictsForMemory(p) {
		signals = slices.Delete(signals, 0, 1)
	}
	return signals
}

func evictsForMemory(p topology.Pool) bool {
	version, known := kubeversion.Parse(p.KubernetesVersion)
	return !p.Platform.IsWindows() || !known || version.Compare(windowsMemoryEviction) >= 0
}

// evictionDefaults are the kubelet's own (pkg/kubelet/eviction/defaults_linux.go and
// defaults_windows.go).
func evictionDefaults(p topology.Pool) map[string]string {
	defaults := map[string]string{nodefsAvailable: "10%", imagefsAvailable: "15%"}
	switch {
	case !p.Platform.IsWindows():
		defaults[memoryAvailable] = "100Mi"
		defaults[nodefsInodesFree] = "5%"
		defaults[imagefsInodesFree] = "5%"
	case evictsForMemory(p):
		defaults[memoryAvailable] = "500Mi"
	}
	return defaults
}
