package bootstrap

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

const (
	linuxCNIConfig   = "/etc/cni/net.d"
	linuxCNIPrograms = "/opt/cni/bin"

	windowsCNIConfig   = "C:/etc/cni/net.d"
	windowsCNIPrograms = "C:/opt/cni/bin"
)

// containerdConfig is containerd's config.toml, of the format 3 that every containerd
// from 2.0 on reads (https://github.com/containerd/containerd/blob/main/docs/cri/config.md).
// What it does not have keeps containerd's default.
//
// The other runtime that Kubernetes names for Windows is Mirantis Container Runtime with
// cri-dockerd (https://kubernetes.io/docs/setup/production-environment/container-runtimes/).
// Nothing is generated for it: host-process containers, which the agents of networks
// are, need containerd (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/).
func containerdConfig(m machine) string {
	if m.pool.Platform.IsWindows() {
		return containerdBase(m, windowsCNIPrograms, windowsCNIConfig, "C:/etc/containerd/certs.d", "runhcs-wcow-process") +
			windowsRuntimes
	}
	return containerdBase(m, linuxCNIPrograms, linuxCNIConfig, "/etc/containerd/certs.d", "runc") + linuxRuntime
}

func containerdBase(m machine, cniPrograms, cniConfig, registries, runtime string) string {
	return fmt.Sprintf(`version = 3

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = %s

[plugins."io.containerd.cri.v1.images".registry]
config_path = %s

[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = [%s]
conf_dir = %s

[plugins."io.containerd.cri.v1.runtime".containerd]
default_runtime_name = %s
`, tomlString(pauseImage(m)), tomlString(registries), tomlString(cniPrograms), tomlString(cniConfig), tomlString(runtime))
}

// linuxRuntime has systemd make the cgroups, as the kubelet does.
const linuxRuntime = `
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = true
`

// windowsRuntimes are the two kinds of isolation: the host's kernel, or one in a small
// virtual machine. They are written down because a runtime that is given replaces
// containerd's default of the same name as a whole.
const windowsRuntimes = `
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runhcs-wcow-process]
runtime_type = "io.containerd.runhcs.v1"
container_annotations = ["io.microsoft.container.*"]

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runhcs-wcow-process.options]
ScrubLogs = true

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runhcs-wcow-hypervisor]
runtime_type = "io.containerd.runhcs.v1"
pod_annotations = ["io.microsoft.virtualmachine.*"]
container_annotations = ["io.microsoft.container.*"]

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runhcs-wcow-hypervisor.options]
ScrubLogs = true
SandboxIsolation = 1
ScaleCpuLimitsToSandbox = true
`

// pauseImages are the tags of kubeadm's constant PauseVersion, the newest first; before
// 1.34 it is 3.10.
var pauseImages = []struct {
	since kubeversion.Version
	tag   string
}{
	{kubeversion.Version{Major: 1, Minor: 36}, "3.10.2"},
	{kubeversion.Version{Major: 1, Minor: 34}, "3.10.1"},
	{kubeversion.Version{}, "3.10"},
}

// pauseImage is the image of a pod's sandbox. It is containerd that runs it: the
// kubelet's flag for it is gone since 1.35. Windows Server 2025 has 3.10.2 with every
// version, as older tags have no image for it.
func pauseImage(m machine) string {
	var tag string
	if m.pool.Platform == platform.WindowsServer2025 {
		tag = pauseImages[0].tag
	}
	for _, image := range pauseImages {
		if m.version.Compare(image.since) >= 0 {
			tag = cmp.Or(tag, image.tag)
		}
	}
	return "registry.k8s.io/pause:" + tag
}

// tomlString is a basic string (https://toml.io/en/v1.0.0#string).
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
