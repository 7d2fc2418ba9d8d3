package stackprogram

import (
	"path"
	"strings"

	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// chartPath is seen from the folder in which Pulumi runs the program.
func chartPath(program stackconfig.Program) string {
	up := strings.Repeat("../", strings.Count(string(program), "/")+1)
	return path.Join(up, "examples/adopt-helm-chart/chart")
}

// deployHelmChart deploys the chart of an example, which knows nothing of mixed clusters:
// a cache for Linux, and a web server for Windows Server 2022.
func deployHelmChart(ctx *pulumi.Context, name string, cluster target) error {
	_, err := manifest.NewChart(ctx, name, &manifest.ChartArgs{
		Chart:   helmv4.ChartArgs{Chart: pulumi.String(chartPath(cluster.program))},
		Options: manifest.Options{Topology: cluster.Topology},
	}, cluster.Options...)
	return err
}
