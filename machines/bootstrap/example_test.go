package bootstrap_test

import (
	"fmt"
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func shop() bootstrap.Cluster {
	return bootstrap.Cluster{
		Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux},
		}},
		Network:  network.Network{Kind: network.FlannelVXLAN, NodeCIDR: netip.MustParsePrefix("192.168.10.0/24")},
		Endpoint: "api.example.com:6443",
		Nodes: []bootstrap.Node{
			{Name: "cp-0", Pool: "linux", Address: netip.MustParseAddr("192.168.10.10"), ControlPlane: true},
			{Name: "linux-0", Pool: "linux", Address: netip.MustParseAddr("192.168.10.20")},
		},
		Releases: bootstrap.KnownReleases(),
	}
}

// A Linux machine becomes a node with the files in a document for cloud-init. For a Windows machine, WindowsScript
// puts them into a script.
func Example() {
	files, err := bootstrap.NodeFiles(shop(), "linux-0", bootstrap.Join{
		Token:        "tests0.notarealtoken000", // from: kubeadm token create
		CACertHashes: []string{"sha256:" + strings.Repeat("0", 64)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, file := range files {
		fmt.Println(file.Path)
	}
	document := bootstrap.CloudConfig(files)
	fmt.Println(strings.HasPrefix(document, "#cloud-config\n"))
	// Output:
	// /etc/cni/net.d/10-flannel.conflist
	// /etc/containerd/config.toml
	// /etc/mixedkube/downloads.tsv
	// /etc/mixedkube/egress-ipv6.nft
	// /etc/mixedkube/egress.nft
	// /etc/mixedkube/kubeadm/config.yaml
	// /etc/mixedkube/kubeadm/patches/kubeletconfiguration+merge.yaml
	// /etc/mixedkube/role
	// /etc/modules-load.d/mixedkube.conf
	// /etc/sysctl.d/99-mixedkube.conf
	// /etc/systemd/system/containerd.service
	// /etc/systemd/system/kubelet.service
	// /etc/systemd/system/kubelet.service.d/10-kubeadm.conf
	// /etc/systemd/system/kubelet.service.d/20-egress.conf
	// /etc/systemd/system/mixedkube-bootstrap.path
	// /etc/systemd/system/mixedkube-bootstrap.service
	// /etc/systemd/system/mixedkube-egress.service
	// /opt/mixedkube/bootstrap.sh
	// true
}

// Mistakes that would fail on a machine are found before there is one.
func ExampleCluster_Validate() {
	cluster := shop()
	cluster.Endpoint = "api.example.com"
	cluster.Nodes[1].Name = "machine_0"
	for _, err := range cluster.Validate(field.NewPath("cluster")) {
		fmt.Println(err)
	}
	// Output:
	// cluster.nodes[1].name: Invalid value: "machine_0": must be a host name: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
	// cluster.endpoint: Invalid value: "api.example.com": must be a host and a port, api.example.com:6443 for example
}

// Nodes get the pause image of Microsoft, whose programs are signed.
func ExampleReleases_pauseImage() {
	releases := bootstrap.KnownReleases()
	releases.PauseImage = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2"

	cluster := shop()
	cluster.Releases = releases
	files, err := bootstrap.NodeFiles(cluster, "linux-0", bootstrap.Join{
		Token:        "tests0.notarealtoken000",
		CACertHashes: []string{"sha256:" + strings.Repeat("0", 64)},
	})
	for _, file := range files {
		for line := range strings.Lines(file.Content) {
			if strings.Contains(line, "pause:") {
				fmt.Print(file.Path, ": ", line)
			}
		}
	}
	fmt.Println(err)
	// Output:
	// /etc/containerd/config.toml: sandbox = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2"
	// <nil>
}

// Windows nodes download the programs of one minor version from addresses of your own.
func ExampleReleases_WithDefaults() {
	hash := strings.Repeat("0", 64) // of each program
	kubeletHash, kubeadmHash, kubeProxyHash := hash, hash, hash

	own := func(file, hash string) bootstrap.Downloads {
		const at = "https://downloads.example.com/kubernetes/v1.36.3/"
		return bootstrap.Downloads{Windows: bootstrap.Download{URL: at + file, SHA256: hash}}
	}
	releases := bootstrap.Releases{Kubernetes: []bootstrap.KubernetesRelease{{
		Version:   "1.36.3",
		Kubelet:   own("kubelet.exe", kubeletHash),
		Kubeadm:   own("kubeadm.exe", kubeadmHash),
		KubeProxy: own("kube-proxy.exe", kubeProxyHash),
	}}}

	// Linux nodes have the same version, whose hashes are not known.
	const linux = "https://dl.k8s.io/v1.36.3/bin/linux/amd64/"
	releases, wrong := releases.WithDefaults().WithHashes(map[string]string{
		linux + "kubelet": hash, linux + "kubeadm": hash, linux + "kubectl": hash,
	}, nil)
	if len(wrong) > 0 {
		fmt.Println(wrong.ToAggregate())
	}
	cluster := shop()
	cluster.Releases = releases
	files, err := bootstrap.NodeFiles(cluster, "linux-0", bootstrap.Join{
		Token:        "tests0.notarealtoken000",
		CACertHashes: []string{"sha256:" + hash},
	})
	for _, file := range files {
		if file.Path == "/etc/mixedkube/downloads.tsv" {
			for line := range strings.Lines(file.Content) {
				if url := strings.Fields(line)[1]; strings.Contains(url, "1.36.3") {
					fmt.Println(url)
				}
			}
		}
	}
	fmt.Println(err)
	// Output:
	// https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet
	// https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubeadm
	// <nil>
}
