package preflight_test

import (
	"strings"
	"testing"
)

func TestVolumesOfTheOtherSystem(t *testing.T) {
	t.Parallel()
	const linux = "nodeSelector: {kubernetes.io/os: linux}\n"
	image := container("shop.example.com/shop:1.4")
	volume := func(source string) string { return "volumes: [{name: v, " + source + "}]\n" }
	missing := func(path string) []string {
		return []string{`warning spec.volumes[0].hostPath.path: "` + path + `": is not on Windows nodes: remove the ` +
			`volume, or name a Windows directory (MK524)`}
	}
	device := func(kind string) []string {
		return []string{`error spec.volumes[0].hostPath.type: "` + kind + `": does not exist on Windows nodes, which ` +
			`have no device files: remove the volume, and request the device from a device plugin (MK525)`}
	}
	nowhere := func(path string) []string {
		return []string{`error spec.volumes[0].hostPath.path: "` + path + `": is a Windows path, and these are Linux ` +
			`pods: name a Linux directory` + orWindows + ` (MK526)`}
	}
	cases := []podCase{
		{name: "/proc on Windows", spec: onWindows + volume("hostPath: {path: /proc}") + image, want: missing("/proc")},
		{
			name: "below /sys", spec: onWindows + volume("hostPath: {path: /sys/fs/cgroup, type: Directory}") + image,
			want: missing("/sys/fs/cgroup"),
		},
		{
			name: "Docker's socket",
			spec: onWindows + volume("hostPath: {path: /var/run/docker.sock, type: Socket}") + image,
			want: missing("/var/run/docker.sock"),
		},
		{
			name: "a device", spec: onWindows + volume("hostPath: {path: /dev/fuse, type: CharDevice}") + image,
			want: device("CharDevice"),
		},
		{
			name: "a disk", spec: onWindows + volume("hostPath: {path: /dev/sdb, type: BlockDevice}") + image,
			want: device("BlockDevice"),
		},
		{
			name: "certificates of Linux", spec: onWindows + volume("hostPath: {path: /etc/ssl/certs}") + image,
			want: missing("/etc/ssl/certs"),
		},
		{
			name: "a file of Linux", spec: onWindows + volume("hostPath: {path: /etc/localtime, type: File}") + image,
			want: missing("/etc/localtime"),
		},
		{
			name: "modules of the kernel", spec: onWindows + volume("hostPath: {path: /lib/modules}") + image,
			want: missing("/lib/modules"),
		},
		{
			name: "a directory that the kubelet creates",
			spec: onWindows + volume("hostPath: {path: /home/app, type: DirectoryOrCreate}") + image,
		},
		{
			name: "a directory whose content is Linux' own",
			spec: onWindows + volume("hostPath: {path: /proc/1, type: DirectoryOrCreate}") + image,
			want: missing("/proc/1"),
		},
		{name: "a directory of an application", spec: onWindows + volume("hostPath: {path: /etc/app}") + image},
		{name: "a directory of kubeadm", spec: onWindows + volume("hostPath: {path: /etc/kubernetes/pki}") + image},
		{name: "a directory of network plugins", spec: onWindows + volume("hostPath: {path: /opt/cni/bin}") + image},
		{name: "a directory that both have", spec: onWindows + volume("hostPath: {path: /var/log}") + image},
		{name: "a name that begins alike", spec: onWindows + volume("hostPath: {path: /process}") + image},
		{name: "/proc on Linux", spec: linux + volume("hostPath: {path: /proc, type: Directory}") + image},
		{name: "a socket of Windows", spec: onWindows + volume(`hostPath: {path: 'C:\a.sock', type: Socket}`) + image},
		{
			name: "a path that is not known", spec: onWindows + volume("hostPath: {path: $unknown, type: "+
				"$unknown}") + image,
		},
		{name: "a drive on Linux", spec: linux + volume(`hostPath: {path: 'c:\a'}`) + image, want: nowhere(`c:\\a`)},
		{
			name: "a pipe on Linux", spec: linux + volume(`hostPath: {path: '\\.\pipe\a'}`) + image,
			want: nowhere(`\\\\.\\pipe\\a`),
		},
		{name: "two slashes on Linux", spec: linux + volume("hostPath: {path: //./pipe/a}") + image},
		{
			name: "a drive as mount path on Linux",
			spec: linux + volume("emptyDir: {}") +
				"containers: [{name: a, image: a, volumeMounts: [{name: v, mountPath: 'D:/a'}]}]\n",
			want: []string{`warning spec.containers[0].volumeMounts[0].mountPath: "D:/a": is a Windows path, and ` +
				`these are Linux pods: write a Linux path` + orWindows + ` (MK527)`},
		},
		{
			name: "the pipe of CSI proxy", spec: onWindows + "volumes: [{name: a, hostPath: {path: " +
				`'\\.\pipe\csi-proxy-disk-v1'}}, {name: b, hostPath: {path: ` +
				`'\\.\pipe\csi-proxy-smb-v1'}}]` + "\n" + image,
			want: []string{`info spec.volumes[0].hostPath.path: "\\\\.\\pipe\\csi-proxy-disk-v1": needs CSI proxy on ` +
				`each node: use the driver's manifest for host-process containers (MK537)`},
		},
		{
			name: "the pipe of CSI proxy, which a host process opens itself",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, " +
				`runAsUserName: 'NT AUTHORITY\SYSTEM'}}` + "\nvolumes: [{name: a, hostPath: {path: " +
				`'\\.\pipe\csi-proxy-disk-v1'}}]` + "\n" + image,
		},
		{
			name: "an image", spec: onWindows + volume("image: {reference: a}") + image,
			want: []string{`warning spec.volumes[0].image: containerd does not support image volumes on Windows: ` +
				`copy the files with an init container, or put them into the image (MK523)`},
		},
		{name: "an image on Linux", spec: linux + volume("image: {reference: a}") + image},
		{
			name: "ext4 of a volume",
			spec: onWindows + volume("csi: {driver: disk.example.com, fsType: ext4}") + image,
			want: []string{`warning spec.volumes[0].csi.fsType: "ext4": is a file system that Windows does not have: ` +
				`remove it (MK529)`},
		},
		{
			name: "NTFS of a volume on Linux",
			spec: linux + volume("csi: {driver: disk.example.com, fsType: NTFS}") + image,
			want: []string{`warning spec.volumes[0].csi.fsType: "NTFS": is a file system that Linux does not have: ` +
				`remove it (MK530)`},
		},
		{name: "NTFS of a volume", spec: onWindows + volume("csi: {driver: disk.example.com, fsType: ntfs}") + image},
		{name: "an unknown file system", spec: onWindows + volume("csi: {driver: a, fsType: cephfs}") + image},
		{
			name: "a gMSA on Linux",
			spec: linux + "containers: [{name: a, image: a, securityContext: {windowsOptions: " +
				"{gmsaCredentialSpecName: a}}}]\n",
			want: []string{"warning spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: … " +
				"(MK528)"},
		},
	}
	for source := range strings.FieldsSeq("iscsi fc cephfs rbd glusterfs quobyte flocker scaleIO storageos") {
		cases = append(cases, podCase{
			name: source, spec: onWindows + volume(source+": {}") + image,
			want: []string{`error spec.volumes[0].` + source + `: Windows nodes cannot mount ` + source + ` volumes: ` +
				`use a CSI driver for Windows (MK522)`},
		}, podCase{name: source + " on Linux", spec: linux + volume(source+": {}") + image})
	}
	runPodCases(t, cases)
}

func TestLogsOfPodsAreClosedToContainerUser(t *testing.T) {
	t.Parallel()
	const (
		nano = "mcr.microsoft.com/windows/nanoserver:ltsc2022"
		core = "mcr.microsoft.com/windows/servercore:ltsc2022"
	)
	mounting := func(image, path, more string) string {
		return onWindows + "volumes: [{name: logs, hostPath: {path: '" + path + "'}}]\ncontainers: [{name: shop, " +
			"image: '" + image + "', volumeMounts: [{name: logs, mountPath: 'C:\\logs'}], " + more + "}]\n"
	}
	user := func(name string) string { return "securityContext: {windowsOptions: {runAsUserName: " + name + "}}" }
	closed := func(path string) []string {
		return []string{"warning spec.volumes[0].hostPath.path: " + path + ": is closed to ContainerUser, as which a " +
			"container that mounts it runs: set windowsOptions.runAsUserName to ContainerAdministrator (MK543)"}
	}
	runPodCases(t, []podCase{
		{
			name: "a device",
			spec: strings.Replace(mounting(nano, `C:\var\log\pods`, ""), "'}}", "', type: CharDevice}}", 1),
			want: []string{"error spec.volumes[0].hostPath.type: … (MK525)"},
		},
		{name: "by the image", spec: mounting(nano, `C:\var\log\pods`, ""), want: closed(`"C:\\var\\log\\pods"`)},
		{name: "a directory " +
			"below", spec: mounting(nano, "/var/log/pods/shop", ""), want: closed(`"/var/log/pods/shop"`)},
		{
			name: "links to the logs", spec: mounting(nano, `c:\VAR\log\containers`, ""),
			want: closed(`"c:\\VAR\\log\\containers"`),
		},
		{
			name: "by its user", spec: mounting(core, `C:\var\log\pods`, user("containeruser")),
			want: closed(`"C:\\var\\log\\pods"`),
		},
		{
			name: "by the user of the pod",
			spec: user("ContainerUser") + "\n" + mounting(core, `C:\var\log\pods`, ""),
			want: closed(`"C:\\var\\log\\pods"`),
		},
		{
			name: "by its user with the domain",
			spec: mounting(core, `C:\var\log\pods`, user(`'User Manager\ContainerUser'`)),
			want: closed(`"C:\\var\\log\\pods"`),
		},
		{
			name: "by the image with a digest",
			spec: mounting("mcr.microsoft.com/windows/nanoserver@sha256:"+strings.Repeat("a", 64),
				`C:\var\log\pods`, ""),
			want: closed(`"C:\\var\\log\\pods"`),
		},
		{name: "an administrator", spec: mounting(nano, `C:\var\log\pods`, user("ContainerAdministrator"))},
		{name: "an image of an administrator", spec: mounting(core, `C:\var\log\pods`, "")},
		{name: "an image of a user that is not " +
			"known", spec: mounting("shop.example.com/shop:1.4", `C:\var\log\pods`, "")},
		{name: "other logs", spec: mounting(nano, `C:\var\log\shop`, "")},
		{
			name: "a volume that is not mounted",
			spec: onWindows + "volumes: [{name: logs, hostPath: {path: 'C:\\var\\log\\pods'}}]\n" + container(nano),
		},
	})
}
