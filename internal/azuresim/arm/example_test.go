package arm_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// Without options only the state is stored: pools have no nodes.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "azure")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cloud, err := arm.Open(dir, arm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	const group = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg"
	if _, err := cloud.Put(ctx, group, arm.Body{"location": "westeurope"}); err != nil {
		fmt.Println(err)
		return
	}
	_, err = cloud.Put(ctx, group, arm.Body{"location": "northeurope"})
	fmt.Println(err)
	// Output:
	// InvalidResourceGroupLocation: Invalid resource group location 'northeurope'. The Resource group already exists in location 'westeurope'.
}
