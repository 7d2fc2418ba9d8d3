package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func chart(args *manifest.ChartArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := manifest.NewChart(ctx, "shop", args)
		return err
	}
}

// rendered answers like the provider, which renders nothing here.
func rendered(r mocktest.Resource) resource.PropertyMap {
	if r.Remote {
		return resource.PropertyMap{"resources": resource.NewProperty([]resource.PropertyValue{})}
	}
	return nil
}

func TestChartsAreHelmCharts(t *testing.T) {
	t.Parallel()
	args := &manifest.ChartArgs{
		Chart:   helmv4.ChartArgs{Chart: pulumi.String("./shop")},
		Options: manifest.Options{Topology: mixed},
	}
	golden.UpdateAndPreview(t, "testdata/chart",
		mocktest.MustRun(t, chart(args), mocktest.Outputs(rendered)).String(),
		mocktest.MustRun(t, chart(args), mocktest.Preview()).String())
	if args.Chart.Name != nil {
		t.Error("the arguments of the program were changed")
	}
}

func TestTheHooksOfAChartAreReportedAsMissing(t *testing.T) {
	t.Parallel()
	args := &manifest.ChartArgs{
		Chart:   helmv4.ChartArgs{Chart: pulumi.String("shop"), Version: pulumi.String("1.0.0")},
		Options: manifest.Options{Topology: mixed},
	}
	graph := mocktest.MustRun(t, chart(args), mocktest.Outputs(rendered))
	const want = "the hooks of the chart, if it has any, are neither deployed nor checked: see what they are with " +
		"`helm template shop shop --version 1.0.0 | mixedkube check --topology CLUSTER.yaml -` (MK580)"
	logs := graph.Logs()
	if len(logs) != 1 || logs[0].Message != want || logs[0].Severity != "info" || logs[0].URN.Name() != "shop" {
		t.Errorf("the log is %v, want %s", logs, want)
	}
	// The guard reports it itself.
	graph = mocktest.MustRun(t, guard.Program(func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: mixed}); err != nil {
			return err
		}
		return chart(args)(ctx)
	}), mocktest.Outputs(rendered))
	if logs = graph.Logs(); len(logs) != 1 || logs[0].Message != want || logs[0].URN.Name() != "shop-chart" {
		t.Errorf("with the guard the log is %v, want %s", logs, want)
	}
}

func TestInvalidCharts(t *testing.T) {
	t.Parallel()
	const subject = `mixedkube:manifest:Chart "shop":`
	for _, tt := range []struct {
		name string
		args *manifest.ChartArgs
		want string
	}{
		{
			"no arguments", nil,
			subject + "\n  chart.chart: Required value: name the chart\n  topology: Required value: manifests are " +
				"completed for the pools of a cluster",
		},
		{
			"an invalid answer",
			&manifest.ChartArgs{
				Chart: helmv4.ChartArgs{Chart: pulumi.String("./shop")},
				Options: manifest.Options{
					Topology:  mixed,
					Platforms: map[string]platform.Platform{"web": platform.Linux},
				},
			},
			subject + ` platforms[web]: Invalid value: "web": names no object: write Kind/name or namespace/Kind/name`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(chart(tt.args))
			if err == nil || cmp.Diff(tt.want, err.Error()) != "" || len(graph.Resources()) != 0 {
				t.Errorf("the error is %v, want %s; registered: %v", err, tt.want, graph.Resources())
			}
		})
	}
}
