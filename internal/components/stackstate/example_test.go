package stackstate_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/stackstate"
)

// A program reads what its previous update has left.
func ExampleRead() {
	bucket := func(ctx *pulumi.Context) error {
		return ctx.RegisterResource("shop:index:Bucket", "b", pulumi.Map{"size": pulumi.Int(3)},
			&pulumi.CustomResourceState{})
	}
	earlier, err := mocktest.Run(bucket)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = mocktest.Run(func(ctx *pulumi.Context) error {
		type properties struct {
			Size any `pulumi:"size"`
		}
		state, err := stackstate.Read[properties](ctx)
		for urn, resource := range state {
			fmt.Println(urn, resource.Size)
		}
		return err
	}, mocktest.Preview(), mocktest.After(earlier))
	if err != nil {
		fmt.Println(err)
	}
	// Output: urn:pulumi:stack::project::shop:index:Bucket::b 3
}
