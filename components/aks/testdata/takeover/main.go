// Command takeover is the programs of docs/existing-clusters.md, by the configuration "program".
package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
)

var programs = map[string]pulumi.RunFunc{
	"plain": plain, "adopted": adopted, "changed": changed, "existing": existing, "joined": joined,
	"imported": imported, "settled": settled,
}

func main() {
	guard.Run(func(ctx *pulumi.Context) error {
		name := config.Require(ctx, "program")
		program, ok := programs[name]
		if !ok {
			return fmt.Errorf("there is no program %q", name)
		}
		return program(ctx)
	})
}
