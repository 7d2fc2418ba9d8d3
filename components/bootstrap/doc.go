// Package bootstrap makes the files that turn a machine into a node of a mixed
// cluster, Windows Server 2019, 2022 and 2025 or Linux, wherever the machine comes
// from. It is pure: it touches neither the machine nor a cloud.
//
// A [Cluster] describes all of it; [NodeFiles] gives the files of one node. On Linux
// [CloudConfig] puts them into a document for cloud-init, on Windows [WindowsScript]
// into one PowerShell script.
//
// Where others may see what a machine is made with, as the customData of Azure's, these
// get the [PublicFiles] only. The [SecretFiles] follow in a way that nobody sees: on Linux
// by [LinuxScript], on Windows by [WindowsCommand].
//
// # The machines
//
// Every machine is of the architecture amd64, reaches the others and the addresses of
// [Releases], has its time synchronised, and a name and an address of its own that stay:
// those of its [Node]. Kubernetes knows it by that name even if the machine itself has
// another, but log files and tools are easier to read if it is the same. The firewalls
// between them, and those of Linux machines, let through what the network needs; on
// Windows the script opens the ports that the node needs.
//
// A Linux machine has systemd and cgroup v2 (`stat -f -c %T /sys/fs/cgroup` says
// cgroup2fs), bash, curl, flock, gzip, kmod's modprobe, mount, sha256sum, swapoff, sysctl
// and tar, for the kinds of networks with routes ip and nft, and ip for a
// [Cluster.LocalEndpoint]: bootstrap.sh says which is missing. It has no other kubelet and no other containerd.
//
// A Windows machine is Windows Server 2019, 2022 or 2025, with the Server Core or the full
// installation. Windows Server 2019 needs the update KB4489899 or a newer one for
// networks with VXLAN. The script installs the feature Containers itself, and what else
// the network needs; it may restart the machine. The logs of the node and of its pods,
// below C:/var/log, are for the system and the administrators only.
package bootstrap
