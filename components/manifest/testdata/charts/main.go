// Command charts deploys a chart of which one pod has a mistake, and answers that match
// nothing and contradict; with the configuration missing=true a chart that does not exist.
package main

import (
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	args := &manifest.ChartArgs{
		Chart: helmv4.ChartArgs{Chart: pulumi.String("./shop")},
		Options: manifest.Options{
			Topology: topology.Topology{Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux},
				{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
			}},
			Platforms: map[string]platform.Platform{
				"Pod/cache": platform.WindowsServer2022,
				"Pod/wbe":   platform.WindowsServer2022,
			},
		},
	}
	if config.New(ctx, "").GetBool("missing") {
		args.Chart.Chart, args.Platforms = pulumi.String("./none"), nil
	}
	_, err := manifest.NewChart(ctx, "shop", args)
	return err
}
