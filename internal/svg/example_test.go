package svg_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/svg"
)

// A text that does not fit into its room is cut, and a long one is wrapped.
func Example() {
	fmt.Println(svg.Number(12.345), svg.Width("win22", "small") < 60)
	for _, line := range svg.Wrapped("pods that fit no pool stay Pending", "small", 120) {
		fmt.Println(svg.Width(line, "small") <= 120)
	}
	// Output:
	// 12.35 true
	// true
	// true
}
