// Package bootstrap creates the files that turn a machine into a node of a mixed cluster: Windows Server 2019, 2022 and
// 2025, or Linux, on machines from any source. It is pure: it touches neither the machine nor a cloud.
//
// A [Cluster] describes the whole cluster, and [NodeFiles] returns the files of one node. On Linux [CloudConfig] puts
// them into a document for cloud-init, on Windows [WindowsScript] into one PowerShell script.
//
// If others can see the data that a machine is created with, such as the customData of a machine in Azure, the machine
// gets only the [PublicFiles] and a [PayloadKey] with it. The [SecretFiles] follow in another way, encrypted with that
// key: on Linux with [LinuxScript], on Windows with [WindowsCommand].
//
// [KeysScript] replaces keys on machines of a running control plane.
//
// # Where the code is
//
// This package has no resources of Pulumi: components such as package kubeadm use the files. Facts about releases
// belong in Releases, and decisions about the pod network in package network.
//
//	cluster.go, node.go, machine.go         the description of a cluster, and of one node
//	validate.go, check_*.go                 the checks of the description
//	release*.go, pause_image.go             downloads and their hashes
//	kubeadm*.go, kubelet*.go, containerd.go configuration files
//	apiserver*.go                           options and files of the API server
//	certificates*.go, keys_script.go        certificates and keys
//	payload_key.go                          encryption of secret files
//	linux*.go, cloudconfig.go, linux/       files and scripts of Linux machines
//	windows*.go, windows/                   files and scripts of Windows machines
//	network/                                the pod network: addresses, routes, CNI configuration
//
// # The machines
//
// Every machine has the architecture amd64 and synchronized time, can reach the other machines and the addresses of
// [Releases], and has a name and an address that never change: those of its [Node]. Kubernetes knows it by that name
// even if the machine itself has another, but log files and tools are easier to read if the names are the same. The
// firewalls between the machines, and the firewalls of Linux machines, must let through the ports of the network. On
// Windows the script opens the ports that the node needs.
//
// A Linux machine has systemd and cgroup v2 (`stat -f -c %T /sys/fs/cgroup` prints cgroup2fs), bash, curl, flock, grep,
// gzip, kmod's modprobe, mount, sed, sha256sum, swapoff, sysctl and tar. Kinds of networks with routes, and
// [Cluster.LocalEndpoint], also need ip; kinds with routes, overlays and [network.Network.BlockedEgress] need nft.
// bootstrap.sh reports what is missing. [LinuxScript] and [KeysScript] need openssl 1.1.1 or newer. The machine has no
// other kubelet and no other containerd.
//
// A Windows machine is Windows Server 2019, 2022 or 2025, with the Server Core or the full installation. Networks with
// VXLAN need the update KB4489899 or a newer one on Windows Server 2019, and KB5066835 of October 2025 or a newer one
// on Windows Server 2025: if it is missing, the script reports it in its log, and continues when the update is
// installed. The script installs the feature Containers and other features that the network needs, and may restart the
// machine. Only the system and the administrators can read the logs of the node and of its pods, below C:/var/log.
//
// The script applies to the whole Windows machine the settings of SIG Windows' images: pods resolve names of Active
// Directory for SMB, connections come from the ports 34000 to 65535, and Defender does not scan the files that
// containerd opens. It does not set the switches of these images for single faults of Windows (HNSControlFlag,
// WcifsSOPCountDisabled, FeatureManagement\Overrides): Microsoft documents none, and updates make them unnecessary. It
// switches no firewall off.
//
// # Blocked destinations
//
// If the network has an overlay or [network.Network.BlockedEgress], the unit mixedkube-egress.service of a Linux
// machine loads rules that keep pods from the port of the overlay and from these destinations, in a table of their
// own. The kubelet requires the unit: it does not start without the rules, and loads them again at each start.
//
// A restart or reload of nftables.service, which removes all rules of a machine, also restarts the unit; between the
// two, pods can reach everything for a moment. The restart also restarts the kubelet, and when nftables.service is
// stopped the kubelet stops. Rules that you remove by hand are missing until the kubelet starts again.
//
// # The control plane
//
// Nodes of the control plane have the files of the API server below /etc/mixedkube/apiserver, see [APIServerOptions],
// and a timer of systemd that renews kubeadm's certificates, which expire after a year. The file
// /etc/kubernetes/super-admin.conf is removed; admin.conf in the same directory is the administrator's kubeconfig.
package bootstrap
