package powershell

import (
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// values are what a user may say about a node.
type values struct {
	Name, LabelKey, Label, Taint, Token, Endpoint, URL string
}

// harmless are values of no interest.
var harmless = values{
	Name: "win-1", LabelKey: "example.com/disk", Label: "fast", Taint: "os", Token: "tests0.notarealtoken000",
	Endpoint: "api.example.com:6443", URL: "https://example.com/file",
}

// windowsPlatforms are the platforms that a current cluster supports.
var windowsPlatforms = []platform.Platform{
	platform.WindowsServer2019, platform.WindowsServer2022,
	platform.WindowsServer2025,
}

// cluster has one Linux node and one Windows node, of whom the values are.
func cluster(kind network.Kind, p platform.Platform, version string, v values) bootstrap.Cluster {
	windows := topology.Pool{
		Name: "win", Platform: p, Labels: map[string]string{v.LabelKey: v.Label},
		Taints: []corev1.Taint{{Key: v.Taint, Value: "windows", Effect: "NoSchedule"}},
	}
	releases := bootstrap.KnownReleases()
	known := func(d *bootstrap.Downloads) {
		d.Windows = bootstrap.Download{URL: v.URL, SHA256: strings.Repeat("a", 64)}
	}
	known(&releases.Containerd.Downloads)
	known(&releases.CNIPlugins.Downloads)
	known(&releases.Flannel.Downloads)
	known(&releases.FlannelPlugin.Downloads)
	for i := range releases.Kubernetes {
		known(&releases.Kubernetes[i].Kubelet)
		known(&releases.Kubernetes[i].Kubeadm)
		known(&releases.Kubernetes[i].KubeProxy)
	}
	return bootstrap.Cluster{
		Topology: topology.Topology{
			KubernetesVersion: version,
			Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Mode: topology.System},
				windows,
			},
		},
		Network: network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Nodes: []bootstrap.Node{
			{Name: "cp-1", Pool: "linux", Address: netip.MustParseAddr("10.0.0.4"), ControlPlane: true},
			{Name: v.Name, Pool: "win", Address: netip.MustParseAddr("10.0.0.5")},
		},
		Endpoint: v.Endpoint,
		Releases: releases,
	}
}

// nodeFiles returns the files of the Windows node of a cluster.
func nodeFiles(kind network.Kind, p platform.Platform, version string, v values) ([]bootstrap.File, error) {
	join := bootstrap.Join{Token: v.Token, CACertHashes: []string{"sha256:" + strings.Repeat("5a", 32)}}
	return bootstrap.NodeFiles(cluster(kind, p, version, v), v.Name, join)
}

func mustNodeFiles(tb testing.TB, kind network.Kind, p platform.Platform, version string) []bootstrap.File {
	tb.Helper()
	files, err := nodeFiles(kind, p, version, harmless)
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// scripts returns those among the files, by their names.
func scripts(files []bootstrap.File) map[string]string {
	found := map[string]string{}
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".ps1") {
			found[f.Path[strings.LastIndex(f.Path, "/")+1:]] = f.Content
		}
	}
	return found
}
