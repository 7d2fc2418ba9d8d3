package preflight

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	linuxHostPath = rule.Rule{
		ID: "MK524", Severity: rule.Warning, Title: "a hostPath of Linux nodes in a Windows pod",
		Reason: "Windows nodes have no such file or directory. Without a type, containerd creates an empty " +
			"directory with " +
			"that name on drive C: of the node and mounts it; with a type, the kubelet refuses to start the pod.",
		Source: "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath, " +
			"internal/cri/opts/spec_windows_opts.go of containerd 2.3.6, parseMount",
	}
	deviceOnWindows = rule.Rule{
		ID: "MK525", Severity: rule.Error, Title: "a device file of the node in a Windows pod",
		Reason: "Linux has device files, Windows does not: the kubelet's check of the type fails, and the pod waits " +
			"for its volume forever.",
		Source: "pkg/volume/hostpath/host_path.go of Kubernetes 1.36.3, checkTypeInternal",
	}
)

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

var podLogsOfUser = rule.Rule{
	ID: "MK543", Severity: rule.Warning, Title: "the logs of pods, for a container that runs as ContainerUser",
	Reason: "The kubelet gives the directories of the logs to administrators and takes them from BUILTIN\\Users, " +
		"from which ContainerUser has its rights: C:\\var\\log\\containers at each start, and C:\\var\\log\\pods " +
		"where it " +
		"creates it. The container gets \"Access is denied\". Images with Nano Server run as ContainerUser by default.",
	Source: "pkg/kubelet/kubelet.go, setupDataDirs and initializeModules, and pkg/util/filesystem/util_windows.go of " +
		"Kubernetes 1.36.3; https://github.com/kubernetes/kubernetes/issues/126161 (CVE-2024-5321)",
}

// podLogs are the directories that the kubelet makes private, in lower case.
var podLogs = [...]string{"/var/log/pods", "/var/log/containers"}

// logsOfPods reports a container that mounts the logs of pods and runs as ContainerUser.
func (c *check) logsOfPods(p *judged, i int, host map[string]any) {
	path, _ := tree.Text(host["path"])
	path = strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(path, `\`, "/")), "c:")
	if p.HostProcess() || p.HostProcessUnknown() ||
		!slices.ContainsFunc(podLogs[:], func(logs string) bool { return isBelow(path, logs) }) {
		return
	}
	name := tree.Map(tree.List(p.Spec["volumes"])[i])["name"]
	for j := range p.Containers {
		ctr := &p.Containers[j]
		mounts := slices.ContainsFunc(tree.List(ctr.Spec["volumeMounts"]), func(m any) bool {
			return name != nil && tree.Reveal(tree.Map(m)["name"]) == tree.Reveal(name)
		})
		if mounts && p.runsAsContainerUser(j) {
			c.report(podLogsOfUser, rule.Problem{
				Path: p.Path("volumes", i, "hostPath", "path"), Value: host["path"],
				Detail: "is closed to ContainerUser, as which a container that mounts it runs",
				Fix:    "set windowsOptions.runAsUserName to ContainerAdministrator",
			})
			return
		}
	}
}

// runsAsContainerUser reports whether a container certainly runs as ContainerUser: by its user, or by Microsoft's image
// with Nano Server.
func (s *judged) runsAsContainerUser(i int) bool {
	ctr := &s.Containers[i]
	user, known := s.userOf(ctr)
	if name, _ := tree.Text(user); user != nil || !known {
		return strings.EqualFold(strings.TrimPrefix(strings.ToLower(name), `user manager\`), "ContainerUser")
	}
	ref, _ := tree.Text(ctr.Spec["image"])
	rest, nano := strings.CutPrefix(ref, "mcr.microsoft.com/windows/nanoserver")
	return nano && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "@"))
}

// hostPath checks a hostPath volume of a Windows pod.
func (c *check) hostPath(p *judged, i int, host map[string]any) {
	kind, _ := tree.Text(host["type"])
	if kind == string(corev1.HostPathCharDev) || kind == string(corev1.HostPathBlockDev) {
		c.report(deviceOnWindows, rule.Problem{
			Path: p.Path("volumes", i, "hostPath", "type"), Value: host["type"],
			Detail: "does not exist on Windows nodes, which have no device files",
			Fix:    "remove the volume, and request the device from a device plugin",
		})
		return
	}
	c.logsOfPods(p, i, host)
	path, _ := tree.Text(host["path"])
	// The kubelet creates these on Windows too. The content that Linux has in /proc, /sys and /dev is not in them.
	created := kind == string(corev1.HostPathDirectoryOrCreate) || kind == string(corev1.HostPathFileOrCreate)
	if slices.ContainsFunc(onlyOnLinuxNodes[:], func(linux string) bool {
		return isBelow(path, linux) && (!created || slices.Contains([]string{"/dev", "/proc", "/sys"}, linux))
	}) {
		c.report(linuxHostPath, rule.Problem{
			Path: p.Path("volumes", i, "hostPath", "path"), Value: host["path"], Detail: "is not on Windows nodes",
			Fix: "remove the volume, or name a Windows directory",
		})
	}
}

var csiProxyPipe = rule.Rule{
	ID: "MK537", Severity: rule.Info, Title: "a CSI driver that needs CSI proxy",
	Reason: "The pipe belongs to CSI proxy, a process on the node that does what ordinary containers cannot do for " +
		"the driver. It starts PowerShell for each request, which uses much of the CPU of nodes with many volumes. A " +
		"driver that runs as a host-process container needs no proxy; the common drivers publish such a manifest.",
	Source: "https://github.com/kubernetes-csi/csi-proxy/issues/193, " +
		"https://github.com/kubernetes-csi/csi-proxy/issues/342",
}

// csiProxy reports pods that use CSI proxy, once for each.
func (c *check) csiProxy(p *judged) {
	for i, v := range tree.List(p.Spec["volumes"]) {
		host := tree.Map(tree.Map(v)["hostPath"])
		path, _ := tree.Text(host["path"])
		if !isPipe(path) || !strings.Contains(strings.ToLower(path), "csi-proxy") || p.HostProcess() {
			continue
		}
		c.report(csiProxyPipe, rule.Problem{
			Path: p.Path("volumes", i, "hostPath", "path"), Value: host["path"],
			Detail: "needs CSI proxy on each node", Fix: "use the driver's manifest for host-process containers",
		})
		return
	}
}

func isBelow(path, dir string) bool {
	rest, found := strings.CutPrefix(path, dir)
	return found && (rest == "" || rest[0] == '/')
}

var (
	windowsHostPath = rule.Rule{
		ID: "MK526", Severity: rule.Error, Title: "a hostPath of Windows nodes in a Linux pod",
		Reason: "Linux has neither drives nor named pipes of this form: there is nothing to mount, and the container " +
			"does not start.",
		Source: "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath",
	}
	driveInMountPath = rule.Rule{
		ID: "MK527", Severity: rule.Warning, Title: "a drive in the mount path of a Linux pod",
		Reason: "The kubelet on Linux prepends a slash to the path: the volume is mounted below /, at a directory " +
			"whose name begins with the letter and a colon.",
		Source: "pkg/volume/util/util.go of Kubernetes 1.36.3, MakeAbsolutePath",
	}
)

// onLinux checks for Windows-only options of Linux pods.
func (c *check) onLinux(p *judged) {
	if p.target.OS() != platform.LinuxOS {
		return
	}
	for i, v := range tree.List(p.Spec["volumes"]) {
		host := tree.Map(tree.Map(v)["hostPath"])
		if path, _ := tree.Text(host["path"]); hasDrive(path) || strings.HasPrefix(path, `\\`) {
			c.report(windowsHostPath, rule.Problem{
				Path: p.Path("volumes", i, "hostPath", "path"), Value: host["path"],
				Detail: "is a Windows path, and these are Linux pods",
				Fix:    "name a Linux directory, or run the pods on Windows nodes",
			})
		}
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		for j, v := range tree.List(ctr.Spec["volumeMounts"]) {
			if at, _ := tree.Text(tree.Map(v)["mountPath"]); hasDrive(at) {
				c.report(driveInMountPath, rule.Problem{
					Path: p.In(ctr, "volumeMounts", j, "mountPath"), Value: tree.Map(v)["mountPath"],
					Detail: "is a Windows path, and these are Linux pods",
					Fix:    "write a Linux path, or run the pods on Windows nodes",
				})
			}
		}
	}
}
