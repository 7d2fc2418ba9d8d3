package rulepages_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

func Example() {
	page, found := rulepages.Of("MK118")
	fmt.Println(page.Title, found)
	fmt.Println(rulepages.Link("MK118"))
	fmt.Println(rulepages.Link("MK000")) // no such rule
	// Output:
	// Security contexts true
	// security.md#mk118
	// README.md
}
