// Command suite checks the connectivity of a cluster with two releases of Windows. The configuration
// run=TEXT makes all checks run again.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var cluster = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux, Mode: topology.System, Count: 2},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	{Name: "win25", Platform: platform.WindowsServer2025, Count: 2},
}}

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
		return err
	}
	suite, err := connectivity.NewSuite(ctx, "net",
		&connectivity.SuiteArgs{Topology: cluster, Run: config.New(ctx, "").Get("run")})
	if err != nil {
		return err
	}
	ctx.Export("matrix", suite.Matrix)
	ctx.Export("table", suite.Table)
	return nil
}
