package examples_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/preflight/examples"
)

// The objects of an example are checked when it is shown.
func ExampleOf() {
	e, found, err := examples.Of("MK118")
	if err != nil || !found {
		fmt.Println("no example:", err)
		return
	}
	fmt.Println(len(e.Findings), "finding:", e.Fix)
	// Output:
	// 1 finding: remove it
}
