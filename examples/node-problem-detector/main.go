// Command node-problem-detector makes problems that containerd logs on Windows nodes events of these nodes.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	_, err := hostprocess.NewNodeProblemDetector(ctx, "node-problem-detector", &hostprocess.NodeProblemDetectorArgs{
		// Of the API server: Windows nodes do not reach its Service. That of a cluster of the same program can be
		// given, pulumi.Sprintf("%s:443", cluster.Cluster.Fqdn) on AKS.
		Endpoint:  pulumi.String("api.example.com:6443"),
		Platforms: []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025},
		// Nodes of AKS have the log elsewhere than those of this library's bootstrap.
		LogMonitors: map[string]string{"containerd.json": hostprocess.ContainerdMonitor(`C:\k\containerd.log`)},
	})
	return err
}
