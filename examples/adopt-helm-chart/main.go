// Command adopt-helm-chart deploys a chart that was written for a single operating system, on a mixed cluster.
package main

import (
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var options = manifest.Options{Topology: topology.Topology{Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux, Count: 2},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}}

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// The pods get node selectors and tolerations for the platforms of their images.
	chart := helmv4.ChartArgs{Chart: pulumi.String("./chart")}
	_, err := manifest.NewChart(ctx, "shop", &manifest.ChartArgs{Chart: chart, Options: options})
	return err
}
