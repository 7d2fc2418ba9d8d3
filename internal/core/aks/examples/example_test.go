package examples_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
)

func ExampleFinding() {
	found, has := examples.Finding("MK702")
	fmt.Println(found.Path, found.Severity, has)
	// Output: pools[1].name error true
}
