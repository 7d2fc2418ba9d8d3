package bootstrap

import (
	"cmp"
	"fmt"
	"strings"
)

const (
	linuxCNIConfig   = "/etc/cni/net.d"
	linuxCNIPrograms = "/opt/cni/bin"

	windowsCNIConfig   = "C:/etc/cni/net.d"
	windowsCNIPrograms = "C:/opt/cni/bin"
)

// containerdConfig is containerd's config.toml, in format version 3, which containerd 2.0 and
// newer read (https://github.com/containerd/containerd/blob/main/docs/cri/config.md).
// Fields that are not set keep containerd's defaults.
//
// The other runtime that Kubernetes names for Windows is Mirantis Container Runtime with
// cri-dockerd (https://kubernetes.io/docs/setup/production-environment/container-runtimes/).
// Nothing is generated for it: host-process containers, which the agents of networks
// are, need containerd (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/).
func containerdConfig(m machine) string {
	if m.pool.Platform.IsWindows() {
		return containerdBase(m, windowsCNIPrograms, windowsCNIConfig, "C:/etc/containerd/certs.d",
			"runhcs-wcow-process") +
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
`,
		tomlString(cmp.Or(m.releases.PauseImage, PauseImage(m.pool.Platform, m.version.String()))),
		tomlString(registries), tomlString(cniPrograms), tomlString(cniConfig), tomlString(runtime))
}

// linuxRuntime has systemd create the cgroups, as the kubelet does.
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

// tomlString returns a basic string (https://toml.io/en/v1.0.0#string).
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
