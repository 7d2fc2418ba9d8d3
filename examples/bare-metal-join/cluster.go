package main

import (
	"net/netip"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// cluster is the one to make: put your own machines here.
func cluster(kind network.Kind, releases bootstrap.Releases) bootstrap.Cluster {
	return bootstrap.Cluster{
		Topology: topology.Topology{
			KubernetesVersion: "1.36",
			Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Mode: topology.System},
				{Name: "win19", Platform: platform.WindowsServer2019},
				{
					Name: "win22", Platform: platform.WindowsServer2022,
					Labels: map[string]string{"example.com/disk": "fast"},
				},
			},
		},
		Network: network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("192.168.10.0/24")},
		Nodes: []bootstrap.Node{
			{Name: "control-1", Pool: "linux", Address: netip.MustParseAddr("192.168.10.10"), ControlPlane: true},
			{Name: "linux-1", Pool: "linux", Address: netip.MustParseAddr("192.168.10.11")},
			{Name: "win19-1", Pool: "win19", Address: netip.MustParseAddr("192.168.10.21")},
			{Name: "win22-1", Pool: "win22", Address: netip.MustParseAddr("192.168.10.22")},
		},
		Releases: releases,
	}
}
