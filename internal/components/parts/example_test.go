package parts_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/parts"
)

// A component creates its parts in a context of its own, which tells the workloads that they are parts.
func Example() {
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		fmt.Println(parts.In(ctx), parts.In(parts.Of(ctx)))
		return nil
	})
	fmt.Println(err)
	// Output:
	// false true
	// <nil>
}
