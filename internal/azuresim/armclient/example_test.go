package armclient_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// The client sends a request to a simulated Azure. IsNotFound distinguishes missing resources from other errors.
func Example() {
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
	client := armclient.New(cloud, 0)
	_, err = client.Get(context.Background(), "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg")
	fmt.Println("not found:", armclient.IsNotFound(err))
	// Output:
	// not found: true
}
