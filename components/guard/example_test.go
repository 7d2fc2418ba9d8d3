package guard_test

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

var shop = topology.Topology{Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022},
}}

// A program calls Run in place of pulumi.Run, and Enforce before it registers anything. With Place, pods that do not
// name an operating system get the fields that lead them to nodes for their images; so Linux Deployments and Helm
// charts need no change.
func ExampleRun() {
	guard.Run(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{Topology: shop, Place: true, AssumeLinux: true})
		// Register the resources here.
	})
}

// Wrap an inline program of the Automation API.
func ExampleProgram() {
	ctx := context.Background()
	program := guard.Program(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{Topology: shop})
		// Register the resources here.
	})
	stack, err := auto.UpsertStackInlineSource(ctx, "dev", "shop", program)
	if err != nil {
		fmt.Println(err)
		return
	}
	// With a mistake about Windows in the program, this is an error.
	_, err = stack.Preview(ctx)
	fmt.Println(err)
}

// In a program with many findings only new ones are errors, and you can fix the others one after the other.
func ExampleEnforce_adoption() {
	guard.Run(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{
			Topology: shop,
			// Written by: MIXEDKUBE_BASELINE=write pulumi preview
			Baseline: "known.yaml",
			Ignore: []guard.Ignore{
				{Rules: []string{"MK514"}, Namespaces: []string{"legacy-*"}, Reason: "no limits until the move"},
			},
		})
		// Register the resources as before.
	})
}

// A test compares the findings.
func ExampleReportTo() {
	var found guard.Report
	program := guard.Program(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{Topology: shop})
		// Register the resources here.
	}, guard.ReportTo(&found))
	if _, err := mocktest.Run(program, mocktest.Preview()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(found.Blocking()), "errors in", found.Objects, "objects")
	// Output: 0 errors in 0 objects
}
