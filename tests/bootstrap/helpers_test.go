package bootstrap

import (
	"fmt"
	"net/netip"
	"path"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// node is the files of one node of one of the clusters.
type node struct {
	cluster, name string
	windows       bool
	files         []bootstrap.File
}

func (n node) String() string { return n.cluster + "/" + n.name }

// versions are the versions of Kubernetes that clusters are made with.
var versions = []string{"1.34", "1.35", "1.36", "1.37"}

// nodes returns the nodes of a cluster for each kind of network and each version: the first of
// the control plane, a further one, a worker and a node of each Windows release.
func nodes(t *testing.T) []node {
	t.Helper()
	var all []node
	for _, kind := range network.Kinds() {
		for _, version := range versions {
			c := cluster(kind, version)
			for _, n := range c.Nodes {
				join := bootstrap.Join{
					Token:        "tests0.notarealtoken000",
					CACertHashes: []string{"sha256:" + strings.Repeat("5a", 32)},
				}
				if n.ControlPlane {
					join.CertificateKey = key
				}
				files, err := bootstrap.NodeFiles(c, n.Name, join)
				if err != nil {
					t.Fatalf("%s %s: %v", kind, version, err)
				}
				all = append(all, node{
					fmt.Sprintf("%s-%s", kind, version), n.Name, strings.HasPrefix(n.Name, "win"),
					files,
				})
			}
		}
	}
	return all
}

func cluster(kind network.Kind, version string) bootstrap.Cluster {
	c := bootstrap.Cluster{
		Topology: topology.Topology{KubernetesVersion: version, Pools: []topology.Pool{
			{Name: "control", Platform: platform.Linux, Mode: topology.System},
			{Name: "linux", Platform: platform.Linux, Labels: map[string]string{"example.com/disk": "fast"}},
		}},
		Network: network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Nodes: []bootstrap.Node{
			{Name: "cp-1", Pool: "control", Address: netip.MustParseAddr("10.0.0.4"), ControlPlane: true},
			{Name: "cp-2", Pool: "control", Address: netip.MustParseAddr("10.0.0.5"), ControlPlane: true},
			{Name: "linux-1", Pool: "linux", Address: netip.MustParseAddr("10.0.0.10")},
		},
		Endpoint: "api.example.com:6443",
		Releases: bootstrap.KnownReleases(),
	}
	releases := []platform.Platform{platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025}
	if kind.IsCalico() {
		releases = releases[:2]
	}
	for i, p := range releases {
		name := strings.Replace(string(p), "windows-", "win", 1)
		c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: name, Platform: p, Size: "Standard_D4s_v5"})
		c.Nodes = append(c.Nodes,
			bootstrap.Node{Name: name + "-1", Pool: name, Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(20 + i)})})
	}
	// These hashes are not published.
	made := strings.Repeat("a", 64)
	r := &c.Releases
	r.Containerd.Windows.SHA256, r.CNIPlugins.Windows.SHA256 = made, made
	r.Flannel.Windows.SHA256, r.FlannelPlugin.Windows.SHA256 = made, made
	for i := range r.Kubernetes {
		k := &r.Kubernetes[i]
		k.Kubelet.Windows.SHA256, k.Kubeadm.Windows.SHA256, k.KubeProxy.Windows.SHA256 = made, made, made
	}
	return c
}

// localEndpoint has the nodes of the control plane answer the endpoint's address.
func localEndpoint(c bootstrap.Cluster) bootstrap.Cluster {
	c.Endpoint, c.LocalEndpoint = "10.0.0.100:6443", true
	return c
}

// controlPlane returns the first node of a cluster.
func controlPlane(t *testing.T, c bootstrap.Cluster, j bootstrap.Join) node {
	t.Helper()
	files, err := bootstrap.NodeFiles(c, c.Nodes[0].Name, j)
	if err != nil {
		t.Fatal(err)
	}
	return node{name: c.Nodes[0].Name, files: files}
}

// file returns the one with a base name.
func (n node) file(t *testing.T, base string) bootstrap.File {
	t.Helper()
	for _, f := range n.files {
		if path.Base(f.Path) == base {
			return f
		}
	}
	t.Fatalf("%s has no %s", n, base)
	return bootstrap.File{}
}

// kubeadm returns the configuration of kubeadm, the only secret of a Linux node.
func (n node) kubeadm(t *testing.T) bootstrap.File {
	t.Helper()
	for _, f := range n.files {
		if f.Secret && strings.Contains(f.Content, "kubeadm.k8s.io/") {
			return f
		}
	}
	t.Fatalf("%s has no configuration of kubeadm", n)
	return bootstrap.File{}
}
