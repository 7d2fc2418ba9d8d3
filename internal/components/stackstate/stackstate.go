// Package stackstate reads the state of the stack that a program runs in.
package stackstate

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Read returns properties of all resources in the state of this stack, by URN. The engine reads them, as for a
// StackReference. Properties is a struct with a field of type any for each output, because resources of other packages
// can have an output of the same name and another type.
func Read[Properties any](ctx *pulumi.Context) (map[string]Properties, error) {
	const token = "pulumi:pulumi:readStackResourceOutputs" //nolint:gosec // a function, no credential
	var answer struct {
		Outputs map[string]struct {
			Outputs Properties `pulumi:"outputs"`
		} `pulumi:"outputs"`
	}
	read := func(stack string) error {
		_, err := ctx.InvokePackageRaw(token, map[string]any{"stackName": stack}, &answer, "")
		return err
	}
	err := read(strings.Join([]string{ctx.Organization(), ctx.Project(), ctx.Stack()}, "/"))
	// Backends of files that are older than projects' stacks know the name alone.
	if err != nil && read(ctx.Stack()) != nil {
		return nil, err
	}
	state := map[string]Properties{}
	for urn, resource := range answer.Outputs {
		state[urn] = resource.Outputs
	}
	return state, nil
}
