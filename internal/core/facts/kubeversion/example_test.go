package kubeversion_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

func Example() {
	parsed, ok := kubeversion.Parse("v1.36.3")
	newest, _ := kubeversion.Parse("1.37")
	fmt.Println(parsed, ok, parsed.Compare(newest) < 0)
	_, ok = kubeversion.Parse("latest")
	fmt.Println(ok)
	// Output:
	// 1.36 true true
	// false
}
