// Command connectivity checks that Linux and Windows reach each other in a cluster, and shows the results in a table.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	suite, err := connectivity.NewSuite(ctx, "connectivity", &connectivity.SuiteArgs{
		Topology: topology.Topology{Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: 2},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
		}},
		// A changed text runs all checks again: pulumi config set run "after the upgrade".
		Run: config.New(ctx, "").Get("run"),
	})
	if err != nil {
		return err
	}
	// Show it with: pulumi stack output table.
	ctx.Export("table", suite.Table)
	return nil
}
