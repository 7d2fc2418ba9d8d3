package azuretypes_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// A type lists the inputs that name the resource, and the others that replace it when they change.
func Example() {
	pool, known := azuretypes.Of("azure-native:containerservice/v20250801:AgentPool")
	fmt.Println(known, pool.InPath())
	fmt.Println(pool.Fixed)
	// Output:
	// true [resourceGroupName resourceName agentPoolName]
	// [gpuInstanceProfile networkProfile.nodePublicIPTags vmSize]
}
