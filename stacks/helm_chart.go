package main

import (
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/manifest"
)

// chartPath is seen from the folder of this program.
const chartPath = "../examples/adopt-helm-chart/chart"

// deployHelmChart deploys the chart of an example, which knows nothing of mixed clusters:
// a cache for Linux, and a web server for Windows Server 2022.
func deployHelmChart(ctx *pulumi.Context, name string, cluster target) error {
	_, err := manifest.NewChart(ctx, name, &manifest.ChartArgs{
		Chart:   helmv4.ChartArgs{Chart: pulumi.String(chartPath)},
		Options: manifest.Options{Topology: cluster.topology},
	}, cluster.options...)
	return err
}
