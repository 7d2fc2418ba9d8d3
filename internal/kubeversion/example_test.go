package kubeversion_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

func Example() {
	given, ok := kubeversion.Parse("v1.36.3")
	newest, _ := kubeversion.Parse("1.37")
	fmt.Println(given, ok, given.Compare(newest) < 0)
	_, ok = kubeversion.Parse("latest")
	fmt.Println(ok)
	// Output:
	// 1.36 true true
	// false
}
