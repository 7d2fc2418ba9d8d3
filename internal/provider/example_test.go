package provider_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/provider"
)

// The components of the library are resources of the plugin, for programs in every language.
func ExampleComponents() {
	for _, component := range provider.Components()[:3] {
		fmt.Println(component.Token())
	}
	// Output:
	// mixedkube:aks:Cluster
	// mixedkube:aks:ExistingCluster
	// mixedkube:aks:NodePool
}
