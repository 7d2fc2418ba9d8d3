// Package provided handles outputs that a provider always returns, and that only the mock of a unit test can leave out.
package provided

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Missing returns the error for an output that a component needs. The token is the token of the resource or of the
// call.
func Missing(ctx *pulumi.Context, token, output string) error {
	if ctx.RunningWithMocks() {
		return fmt.Errorf("the mock of %s must give the output %q", token, output)
	}
	return fmt.Errorf("%s gave no output %q", token, output)
}
