package volumes

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var hostPathRules = []engine.Rule{pipeInHostProcess, linuxHostPath, deviceOnWindows, windowsHostPath, csiProxyPipe}

var pipeInHostProcess = engine.Rule{
	Rule: rule.Rule{
		ID: "MK509", Severity: rule.Error, Title: "a named pipe or socket mounted into a host-process container",
		Page:   rulepages.HostProcess,
		Reason: "Host-process containers use the node's own pipes and sockets directly, and cannot mount them.",
		Fix:    "remove the volume, and open the path of the node itself",
		Source: sources.HostProcessGuide + "#limitations",
	},
	Checks: []engine.Check{engine.On(subject.WindowsHostProcessPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for host := range hostPathsOf(p) {
			name, named := tree.Text(host.name)
			if !named || host.kind() != corev1.HostPathSocket && !host.isPipe() || !mounts(p, name) {
				continue
			}
			found = append(found, rule.Problem{
				Path: host.at(), Value: host.source["path"],
				Detail: "host-process containers cannot mount named pipes and sockets",
			})
		}
		return found
	})},
}

// mounts reports whether a container mounts the volume.
func mounts(p *subject.Pods, volume string) bool {
	for m := range mountsOf(p) {
		if name, ok := tree.Text(m.spec["name"]); ok && name == volume {
			return true
		}
	}
	return false
}

var linuxHostPath = engine.Rule{
	Rule: rule.Rule{
		ID: "MK524", Severity: rule.Warning, Title: "a hostPath of Linux nodes in a Windows pod",
		Page: rulepages.Volumes,
		Reason: "Windows nodes have no such file or directory. Without a type, containerd creates an empty directory " +
			"with that name on drive C: of the node and mounts it; with a type, the kubelet refuses to start the pod.",
		Fix: "remove the volume, or name a Windows directory",
		Source: "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath, " +
			"internal/cri/opts/spec_windows_opts.go of containerd 2.3.6, parseMount",
	},
	Checks: []engine.Check{engine.On(windowsHostPaths, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for host := range hostPathsOf(p) {
			if !host.isDevice() && host.isOnlyOnLinux() {
				found = append(found, rule.Problem{
					Path: host.at("path"), Value: host.source["path"], Detail: "is not on Windows nodes",
				})
			}
		}
		return found
	})},
}

// onlyOnLinuxNodes are files and directories that exist on Linux nodes only: directories of the Filesystem Hierarchy
// Standard, files of systemd and of the C library, and sockets. Others, such as /etc/cni, /etc/kubernetes and /var/log,
// are created by kubelet, kubeadm and CNI plugins on both systems, and /etc/app may be C:\etc\app.
var onlyOnLinuxNodes = [...]string{
	"/bin", "/boot", "/dev", "/home", "/lib", "/lib64", "/proc", "/root", "/sbin", "/sys", "/usr",
	"/etc/ca-certificates", "/etc/group", "/etc/hostname", "/etc/hosts", "/etc/localtime", "/etc/machine-id",
	"/etc/os-release", "/etc/passwd", "/etc/pki", "/etc/resolv.conf", "/etc/ssl", "/etc/systemd", "/etc/timezone",
	"/run/containerd/containerd.sock", "/run/dbus", "/run/docker.sock", "/run/systemd", "/run/udev",
	"/var/lib/docker", "/var/run/dbus", "/var/run/docker.sock",
}

// isOnlyOnLinux reports whether Windows nodes do not have the path. The kubelet creates some on Windows too, but not
// the content that Linux has in /dev, /proc and /sys.
func (h *hostPath) isOnlyOnLinux() bool {
	created := h.kind() == corev1.HostPathDirectoryOrCreate || h.kind() == corev1.HostPathFileOrCreate
	return slices.ContainsFunc(onlyOnLinuxNodes[:], func(linux string) bool {
		return isBelow(h.text(), linux) && (!created || slices.Contains([]string{"/dev", "/proc", "/sys"}, linux))
	})
}

func isBelow(path, dir string) bool {
	rest, found := strings.CutPrefix(path, dir)
	return found && (rest == "" || rest[0] == '/')
}

var deviceOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK525", Severity: rule.Error, Title: "a device file of the node in a Windows pod", Page: rulepages.Volumes,
		Reason: "Linux has device files, Windows does not: the kubelet's check of the type fails, and the pod waits " +
			"for its volume forever.",
		Fix:    "remove the volume, and request the device from a device plugin",
		Source: "pkg/volume/hostpath/host_path.go of Kubernetes 1.36.3, checkTypeInternal",
	},
	Checks: []engine.Check{engine.On(windowsHostPaths, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for host := range hostPathsOf(p) {
			if host.isDevice() {
				found = append(found, rule.Problem{
					Path: host.at("type"), Value: host.source["type"],
					Detail: "does not exist on Windows nodes, which have no device files",
				})
			}
		}
		return found
	})},
}

func (h *hostPath) isDevice() bool {
	return h.kind() == corev1.HostPathCharDev || h.kind() == corev1.HostPathBlockDev
}

var windowsHostPath = engine.Rule{
	Rule: rule.Rule{
		ID: "MK526", Severity: rule.Error, Title: "a hostPath of Windows nodes in a Linux pod", Page: rulepages.Volumes,
		Reason: "Linux has neither drives nor named pipes of this form: there is nothing to mount, and the container " +
			"does not start.",
		Fix:    "name a Linux directory, or run the pods on Windows nodes",
		Source: "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath",
	},
	Checks: []engine.Check{engine.On(linuxHostPaths, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for host := range hostPathsOf(p) {
			if path := host.text(); subject.HasDrive(path) || strings.HasPrefix(path, `\\`) {
				found = append(found, rule.Problem{
					Path: host.at("path"), Value: host.source["path"],
					Detail: "is a Windows path, and these are Linux pods",
				})
			}
		}
		return found
	})},
}

var csiProxyPipe = engine.Rule{
	Rule: rule.Rule{
		ID: "MK537", Severity: rule.Info, Title: "a CSI driver that needs CSI proxy", Page: rulepages.Storage,
		Reason: "The pipe belongs to CSI proxy, a process on the node that does what ordinary containers cannot do " +
			"for the driver. It starts PowerShell for each request, which uses much of the CPU of nodes with many " +
			"volumes. A driver that runs as a host-process container needs no proxy; the common drivers publish such " +
			"a manifest.",
		Fix: "use the driver's manifest for host-process containers",
		Source: "https://github.com/kubernetes-csi/csi-proxy/issues/193, " +
			"https://github.com/kubernetes-csi/csi-proxy/issues/342",
	},
	Checks: []engine.Check{engine.On(windowsHostPaths, func(p *subject.Pods) []rule.Problem {
		for host := range hostPathsOf(p) {
			if host.isPipe() && strings.Contains(strings.ToLower(host.text()), "csi-proxy") && !p.HostProcess() {
				return []rule.Problem{{
					Path: host.at("path"), Value: host.source["path"], Detail: "needs CSI proxy on each node",
				}} // the other pipes belong to the same driver
			}
		}
		return nil
	})},
}
