// Command node-problem-detector reports problems that containerd logs on Windows nodes as events of these nodes.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	_, err := hostprocess.NewNodeProblemDetector(ctx, "node-problem-detector", &hostprocess.NodeProblemDetectorArgs{
		// The API server's address: Windows nodes cannot reach its Service. For an AKS cluster of the same program,
		// use pulumi.Sprintf("%s:443", cluster.Cluster.Fqdn).
		Endpoint: pulumi.String("api.example.com:6443"),
		// Windows Server 2025 on AKS has containerd 2.0, which does not run the image.
		Platforms: []platform.Platform{platform.WindowsServer2022},
		// AKS nodes have the log at another path than nodes of this library's bootstrap.
		LogMonitors: map[string]string{"containerd.json": hostprocess.ContainerdMonitor(`C:\k\containerd.log`)},
	})
	return err
}
