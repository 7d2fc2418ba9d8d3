package provided_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/provided"
)

type mocks struct{}

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name, args.Inputs, nil
}

func (mocks) Call(pulumi.MockCallArgs) (resource.PropertyMap, error) { return nil, nil }

// Only the mocks of a unit test can leave out what a provider always gives.
func Example() {
	err := pulumi.RunErr(func(ctx *pulumi.Context) error {
		fmt.Println(provided.Missing(ctx, "azure-native:network:PublicIPAddress", "ipAddress"))
		return nil
	}, pulumi.WithMocks("project", "stack", mocks{}))
	fmt.Println(err)
	// Output:
	// the mock of azure-native:network:PublicIPAddress must give the output "ipAddress"
	// <nil>
}
