package bootstrap

// Releases are the files that nodes download, each compared with its hash before it is
// used. All that is not set has a default, so a file of your own needs only its address and its
// hash. Most hashes of files for Windows have no default: the error for one that is missing
// names the file, and where its hash can be found.
type Releases struct {
	// Kubernetes has a release for each minor version that the control plane or a pool
	// of the topology has. A minor version that is not in the list has the known release.
	Kubernetes []KubernetesRelease `pulumi:"kubernetes,optional"`
	// Containerd is the container runtime, version 2.1 or newer: 2.1.3 for Kubernetes 1.34,
	// 2.1.5 for 1.35, 2.2 for 1.36.
	Containerd Release `pulumi:"containerd,optional"`
	// Runc is what containerd starts containers with on Linux.
	Runc Release `pulumi:"runc,optional"`
	// CNIPlugins are the plugins of containernetworking/plugins.
	CNIPlugins Release `pulumi:"cniPlugins,optional"`
	// Flannel is flanneld, for the Windows nodes of a network of the kind flannel-vxlan: Linux
	// nodes run it in a container of flannel's image.
	Flannel Release `pulumi:"flannel,optional"`
	// FlannelPlugin is flannel's CNI plugin, for the same Windows nodes.
	FlannelPlugin Release `pulumi:"flannelPlugin,optional"`
	// PauseImage is the image of the pods' sandboxes, for the nodes of all platforms, with a
	// tag or digest: mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2 for example, which
	// Microsoft signs, or one in a registry of your own. It must exist for all releases of
	// Windows that the pools have. The default is [PauseImage].
	PauseImage string `pulumi:"pauseImage,optional"`
}

// KubernetesRelease is a patch release of Kubernetes.
type KubernetesRelease struct {
	// Version is 1.36.1 for example. Required.
	Version string `pulumi:"version,optional"`
	// Kubelet is for both systems.
	Kubelet Downloads `pulumi:"kubelet,optional"`
	// Kubeadm is for both systems.
	Kubeadm Downloads `pulumi:"kubeadm,optional"`
	// Kubectl is for Linux.
	Kubectl Downloads `pulumi:"kubectl,optional"`
	// KubeProxy is for Windows, where the network needs it: Linux nodes run it in a container of an
	// image.
	KubeProxy Downloads `pulumi:"kubeProxy,optional"`
}

// Release is a release of something else.
type Release struct {
	// Version is the version of the program, 2.1.4 for example, without a leading "v". The
	// default is the known version.
	Version string `pulumi:"version,optional"`
	Downloads
}

// Downloads are a file for each system, for the architecture amd64.
type Downloads struct {
	// Linux is the file for Linux.
	Linux Download `pulumi:"linux,optional"`
	// Windows is the file for Windows.
	Windows Download `pulumi:"windows,optional"`
}

// Download is a file on the web.
type Download struct {
	// URL is the address of the file: https only, without a user, a query and a fragment. It is
	// in the customData, on the disk and in the log of each machine, where a password or a
	// signature would no longer be secret. The default is the address where the publisher of the
	// program has this version.
	URL string `pulumi:"url,optional"`
	// SHA256 is the hash of its content, 64 lower-case hexadecimal digits. The default is the
	// known hash of this version at its publisher. Required if there is none, and for any other
	// address.
	SHA256 string `pulumi:"sha256,optional"`
}
