// Command changes has the objects of package program: before their changes, or after those that its configuration
// names.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/mocktest/testdata/changes/program"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error { return program.Program(config.Get(ctx, "changes:after"))(ctx) })
}
