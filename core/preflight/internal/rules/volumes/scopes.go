package volumes

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
)

// The volumes that rules look at.
var (
	windowsFiles     = subject.VolumesOf(platform.WindowsOS, "volumes with files of objects", withMode[:]...)
	windowsSecrets   = subject.VolumesOf(platform.WindowsOS, "volumes with secrets", "secret", "projected", "csi")
	windowsHostPaths = subject.VolumesOf(platform.WindowsOS, "hostPath volumes", "hostPath")
	linuxHostPaths   = subject.VolumesOf(platform.LinuxOS, "hostPath volumes", "hostPath")
	windowsDisks     = subject.VolumesOf(platform.WindowsOS, "volumes with a file system", withFileSystem[:]...)
	linuxDisks       = subject.VolumesOf(platform.LinuxOS, "volumes with a file system", withFileSystem[:]...)
	windowsGitRepos  = subject.VolumesOf(platform.WindowsOS, "gitRepo volumes", "gitRepo")
	// windowsObstacles are the types of [UnmountableOnWindows].
	windowsObstacles = subject.VolumesOf(platform.WindowsOS, "volumes",
		slices.Concat(onlyOnLinuxVolumes[:], []string{"nfs", "image", "csi"})...)
)

// withMode are the kinds of sources whose files have a mode.
var withMode = [...]string{"configMap", "secret", "projected", "downwardAPI"}
