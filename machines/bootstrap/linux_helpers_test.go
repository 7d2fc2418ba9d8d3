package bootstrap

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	testToken = "tests0.notarealtoken000"
	testKey   = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
)

var testHash = "sha256:" + strings.Repeat("5a", 32)

// testVersions are those whose releases are known.
var testVersions = []string{"1.34", "1.35", "1.36"}

// testCluster has two nodes of the control plane, two Linux workers and one Windows
// node of each release that the network's kind takes. Its Windows files have made-up
// hashes.
func testCluster(kind network.Kind, version string) Cluster {
	c := Cluster{
		Topology: topology.Topology{
			KubernetesVersion: version,
			Pools: []topology.Pool{
				{Name: "control", Platform: platform.Linux, Mode: topology.System},
				{
					Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5",
					Labels: map[string]string{"example.com/disk": "fast", "tier": "web"},
				},
			},
		},
		Network: network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Nodes: []Node{
			{Name: "cp-1", Pool: "control", Address: netip.MustParseAddr("10.0.0.4"), ControlPlane: true},
			{Name: "cp-2", Pool: "control", Address: netip.MustParseAddr("10.0.0.5"), ControlPlane: true},
			{Name: "linux-1", Pool: "linux", Address: netip.MustParseAddr("10.0.0.10")},
			{Name: "linux-2", Pool: "linux", Address: netip.MustParseAddr("10.0.0.11")},
		},
		Endpoint: "api.example.com:6443",
		Releases: KnownReleases(),
	}
	platforms := []platform.Platform{platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025}
	if kind.IsCalico() {
		platforms = platforms[:2]
	}
	for i, p := range platforms {
		name := strings.Replace(string(p), "windows-", "win", 1)
		c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: name, Platform: p, Size: "Standard_D16s_v5"})
		c.Nodes = append(c.Nodes,
			Node{Name: name + "-1", Pool: name, Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(20 + i)})})
	}
	withWindowsHashes(&c.Releases)
	return c
}

func withWindowsHashes(r *Releases) {
	made := func(d *Downloads, digit string) { d.Windows.SHA256 = strings.Repeat(digit, 64) }
	made(&r.Containerd.Downloads, "a")
	made(&r.CNIPlugins.Downloads, "b")
	made(&r.Flannel.Downloads, "f")
	made(&r.FlannelPlugin.Downloads, "0")
	for i := range r.Kubernetes {
		made(&r.Kubernetes[i].Kubelet, "c")
		made(&r.Kubernetes[i].Kubeadm, "d")
		made(&r.Kubernetes[i].KubeProxy, "e")
	}
}

// testJoin returns what a node needs to join, with the key on the control plane only.
func testJoin(node string) Join {
	j := Join{Token: testToken, CACertHashes: []string{testHash}}
	if strings.HasPrefix(node, "cp-") {
		j.CertificateKey = testKey
	}
	return j
}

// testMachine returns a node of a cluster that is right.
func testMachine(tb testing.TB, c Cluster, node string) machine {
	tb.Helper()
	return testMachineJoining(tb, c, node, testJoin(node))
}

// testMachineJoining is one that joins in a way of its own.
func testMachineJoining(tb testing.TB, c Cluster, node string, j Join) machine {
	tb.Helper()
	m, err := c.WithDefaults().machine(node, &j)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// filesByPath returns a Linux node's.
func filesByPath(m machine) map[string]File {
	files := map[string]File{}
	for _, file := range linuxFiles(m) {
		files[file.Path] = file
	}
	return files
}
