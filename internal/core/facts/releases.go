package facts

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// KubernetesRelease is a patch release of Kubernetes, with the SHA-256 of programs for
// Linux on amd64.
type KubernetesRelease struct{ Version, Kubelet, Kubeadm, Kubectl string }

// KubernetesReleases returns one release of each minor version that nodes can have, the oldest first. The hashes are the
// ones that other projects install with.
func KubernetesReleases() []KubernetesRelease {
	return slices.Concat(KubernetesOfKubespray, KubernetesOfKops)
}

// KubernetesReleased are the days of the first releases of minor versions, which the versions of Kubernetes' Go modules
// show. A fact about a release has not been seen before it: see tests/cmd/facts.
//
//facts:seen 2026-12-02 https://github.com/kubernetes/kubernetes/releases
var KubernetesReleased = map[kubeversion.Version]string{
	minor(32): "2024-12-11", minor(33): "2025-04-23", minor(34): "2025-08-27", minor(35): "2025-12-17",
	minor(36): "2026-04-22", minor(37): "2026-08-26",
}

// KubernetesOfKubespray are releases in kubespray's file (roles/kubespray_defaults/vars/main/checksums.yml). Newer ones
// exist. A change here replaces machines that do not set a release of their own.
//
//facts:seen 2026-08-21 https://github.com/kubernetes-sigs/kubespray/tree/master/roles/kubespray_defaults/vars/main
//facts:released 2026-02-10
var KubernetesOfKubespray = []KubernetesRelease{
	{
		"1.34.4",
		"03b8fea715a7ef82eeaf518dee34c72670c57cc7bc40dc1320c04fbf4f15172f",
		"b967f1fa0e36621c402d38bb560eb4a943954d5cf5a00e5150842f6f5da73455",
		"d50c359d95e0841eaad08ddc27c7be37cba8fdccfba5c8e2ded65e121ff112db",
	},
	{
		"1.35.1",
		"e7343310e03ff0d424df4397bdfa4468947d6d1f0f93dac586c1e8d6e4086d5d",
		"8a7ff344eef1bfba88f9a74b3fdc9ea4448c94f1b3cefb8c0aeeaf1f96e05053",
		"36e2f4ac66259232341dd7866952d64a958846470f6a9a6a813b9117bd965207",
	},
}

// KubernetesOfKops are releases in copies of kops' files (k8s-1.36.yaml, k8s-1.37.yaml). The copies have no day: this is
// the day on which 1.37.1 was released.
//
//facts:seen 2026-09-23 https://github.com/kubernetes/kops/tree/master/pkg/assets/assetdata
//facts:released 2026-09-23
var KubernetesOfKops = []KubernetesRelease{
	{
		"1.36.4",
		"cf2562db46c48ab84cc3791540778ee7fb1a0a008529adbb434723dd02ed8b4b",
		"10d054585907f2c8bb823c84f6a66b3bd2a474c3d795475f04e9a44f78650fe6",
		"8b8f088da2dab964f853b38464033b1be15ede2839eca751482357c45abdd05a",
	},
	{
		"1.37.1",
		"cee008c1640c3b41820ef31d35b3cffc132b0c4b78c288be2b8022ebc7aa8293",
		"087b6340dcea496f2cde2b3888ecd414354c08a0aceabd6b7ca195cccb66ecd3",
		"65691ff77eb6fa44c908b77a1082c9f092c3b9733b5cefabec0d1104890e21a8",
	},
}

// KubernetesEnd is the last day on which Kubernetes' own project maintains a version.
type KubernetesEnd struct {
	Version kubeversion.Version
	Ends    string
}

// KubernetesEnds are the versions, from the oldest to the newest. The copy that was read is older than 1.37.
//
//facts:seen 2026-08-22 https://endoflife.date/kubernetes
var KubernetesEnds = []KubernetesEnd{
	{minor(30), "2025-07-15"},
	{minor(31), "2025-11-11"},
	{minor(32), "2026-02-28"},
	{minor(33), "2026-06-28"},
	{minor(34), "2026-10-27"},
	{minor(35), "2027-02-28"},
	{minor(36), "2027-06-28"},
}

// Containerd is a release of containerd, and ContainerdLinux the hash of its archive for Linux. The copy with the hash
// has no day: this is the day of the release.
//
//facts:seen 2026-09-24 https://github.com/containerd/containerd/releases
//facts:released 2026-09-24
const (
	Containerd      = "2.3.6"
	ContainerdLinux = "df806bb9b86653ebc94822a7076642ff3c3614324dbc1b511bdf75ac1669b762"
)

// ContainerdOf is the oldest containerd that is supported with a version of Kubernetes.
type ContainerdOf struct {
	Kubernetes kubeversion.Version
	Containerd string
}

// ContainerdPairs hold for a version of Kubernetes and newer ones; the newest comes first. Releases of
// containerd before 2.1 are left out: nodes cannot have them.
//
//facts:seen 2026-08-22 https://github.com/containerd/containerd/blob/main/RELEASES.md#kubernetes-support
var ContainerdPairs = []ContainerdOf{
	{kubeversion.Version{Major: 1, Minor: 36}, "2.2.0"},
	{kubeversion.Version{Major: 1, Minor: 35}, "2.1.5"},
	{kubeversion.Version{Major: 1, Minor: 34}, "2.1.3"},
}

// Runc is the release of runc that kubespray installs, and RuncLinux the hash of its program for Linux.
//
//facts:seen 2026-08-21 https://github.com/kubernetes-sigs/kubespray/tree/master/roles/kubespray_defaults/vars/main
//facts:released 2026-06-13
const (
	Runc      = "1.4.3"
	RuncLinux = "f6ae8efc0fa40079e1475e97cbe9d1bd3f106a28d6af78a11d9f1bd565515e60"
)

// CNIPlugins is the release of containernetworking's plugins that kubespray installs, and CNIPluginsLinux the hash of
// its archive for Linux.
//
//facts:seen 2026-08-21 https://github.com/kubernetes-sigs/kubespray/tree/master/roles/kubespray_defaults/vars/main
//facts:released 2026-02-19
const (
	CNIPlugins      = "1.9.1"
	CNIPluginsLinux = "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303"
)

// Flannel is a release of flannel, and FlannelPlugin the CNI plugin that this release names.
//
//facts:seen 2026-10-08 https://github.com/flannel-io/flannel/releases
//facts:released 2026-10-08
const (
	Flannel       = "0.28.10"
	FlannelPlugin = "1.9.1-flannel3"
)

// PauseImage is the tag of kubeadm's constant PauseVersion, and the oldest version of
// Kubernetes that has it.
type PauseImage struct {
	Since kubeversion.Version
	Tag   string
}

// PauseImages begin with the newest. The last one is for all older versions.
//
//facts:seen 2026-10-27 https://github.com/kubernetes/kubernetes/blob/v1.37.2/cmd/kubeadm/app/constants/constants.go
var PauseImages = []PauseImage{
	{kubeversion.Version{Major: 1, Minor: 36}, "3.10.2"},
	{kubeversion.Version{Major: 1, Minor: 34}, "3.10.1"},
	{kubeversion.Version{}, "3.10"},
}
