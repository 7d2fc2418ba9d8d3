package connectivity_test

import (
	"fmt"
	"slices"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// The suite checks a cluster without outbound connections, and later resources wait for the checks.
func ExampleNewSuite() {
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		suite, err := connectivity.NewSuite(ctx, "net", &connectivity.SuiteArgs{
			Topology: cluster,
			Skip:     []connectivity.Check{connectivity.Outbound},
			Run:      "after the upgrade to 1.36",
		})
		if err != nil {
			return err
		}
		ctx.Export("connectivity", suite.Table)
		var passed []pulumi.Resource
		for _, job := range suite.Jobs {
			passed = append(passed, job)
		}
		_, err = appsv1.NewDeployment(ctx, "shop", &appsv1.DeploymentArgs{ /* … */ }, pulumi.DependsOn(passed))
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var names []string
	for _, job := range graph.ByType("kubernetes:batch/v1:Job") {
		names = append(names, job.Name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Println(name)
	}
	// Output:
	// net-linux-node-to-linux-job
	// net-linux-node-to-windows-2022-job
	// net-linux-to-linux-job
	// net-linux-to-windows-2022-job
	// net-windows-2022-node-to-windows-2022-job
	// net-windows-2022-to-linux-job
	// net-windows-2022-to-windows-2022-job
}
