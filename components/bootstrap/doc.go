// Package bootstrap makes the files that turn a machine into a node of a mixed
// cluster, Windows Server 2019, 2022 and 2025 or Linux, wherever the machine comes
// from. It is pure: it touches neither the machine nor a cloud.
//
// A [Cluster] describes all of it; [NodeFiles] gives the files of one node. On Linux
// [CloudConfig] puts them into a document for cloud-init, on Windows [WindowsScript]
// into one PowerShell script.
//
// If others may see the data that a machine is made with, such as the customData of a machine
// in Azure, the machine gets only the [PublicFiles] and a [PayloadKey]. The [SecretFiles]
// follow in another way, encrypted with that key: on Linux by [LinuxScript], on Windows by
// [WindowsCommand].
//
// # The machines
//
// Every machine has the architecture amd64, reaches the others and the addresses of
// [Releases], has its time synchronised, and a name and an address of its own that stay:
// those of its [Node]. Kubernetes knows it by that name even if the machine itself has
// another, but log files and tools are easier to read if it is the same. The firewalls
// between them, and those of Linux machines, let through what the network needs; on
// Windows the script opens the ports that the node needs.
//
// A Linux machine has systemd and cgroup v2 (`stat -f -c %T /sys/fs/cgroup` says
// cgroup2fs), bash, curl, flock, grep, gzip, kmod's modprobe, mount, sed, sha256sum, swapoff, sysctl
// and tar, for the kinds of networks with routes ip and nft, and ip for a
// [Cluster.LocalEndpoint]: bootstrap.sh says which is missing. [LinuxScript] and [KeysScript]
// need openssl 1.1.1 or newer. The machine has no other kubelet and no other containerd.
//
// Where the network has an overlay, or [network.Network.BlockedEgress], a Linux machine needs
// nft as well. The unit mixedkube-egress.service loads the rules that keep pods from the port
// of the overlay and from these destinations, in a table of their own, and the kubelet
// requires it: it does not start without them, and loads them again at each start. A restart
// or reload of nftables.service, which removes all rules of a machine, is followed by one of
// the unit; between the two pods reach everything for a moment. The restart also restarts the
// kubelet, and when nftables.service is stopped the kubelet stops. Rules that you remove by
// hand are missing until the kubelet starts again.
//
// A Windows machine is Windows Server 2019, 2022 or 2025, with the Server Core or the full
// installation. Networks with VXLAN need the update KB4489899 or a newer one on Windows
// Server 2019, and KB5066835 of October 2025 or a newer one on Windows Server 2025: the script
// reports it in its log, and continues when the update is installed. The script installs the
// feature Containers itself, and what else the network needs; it may restart the machine.
// The logs of the node and of its pods, below C:/var/log, are for the system and the
// administrators only.
//
// For all of the machine the script sets what SIG Windows sets in its images: pods resolve
// names of Active Directory for SMB, connections come from the ports 34000 to 65535, and
// Defender does not scan the files that containerd opens. It leaves the switches alone
// that these images have for single faults of Windows (HNSControlFlag,
// WcifsSOPCountDisabled, FeatureManagement\Overrides): Microsoft documents none, and
// updates bring what they are for. It switches no firewall off.
//
// # The control plane
//
// Nodes of the control plane have the files of the API server below
// /etc/mixedkube/apiserver, see [APIServerOptions], and a timer of systemd that renews the
// certificates which kubeadm makes: they expire after a year. The file
// /etc/kubernetes/super-admin.conf is removed; the administrator's is admin.conf beside it.
//
// If all of [Join.Certificates] are set, they and the [Join.EncryptionKeys] can be
// replaced while the cluster runs: see [KeysScript]. kube-controller-manager then signs with
// /etc/kubernetes/pki/signer.crt, which has the first certificate of ca.crt. The script cannot
// do the following:
//   - Pods have the authorities in the ConfigMap kube-root-ca.crt, which follows by itself, but
//     most programs read them at their start only: restart workloads that call the API server
//     after each step but the last.
//   - Machines outside of the control plane keep the authorities that they were made with:
//     replace them before the old authority is left out.
//   - Secrets in etcd keep the key that they were written with: write all of them again before
//     the old key is left out, `kubectl get secrets --all-namespaces --output=json | kubectl
//     replace --filename=-`.
package bootstrap
