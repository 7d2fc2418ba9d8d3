package clock_test

import (
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// A pipeline sets the day, so that its reports can be repeated.
func ExampleToday() {
	_ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")
	defer func() { _ = os.Unsetenv("SOURCE_DATE_EPOCH") }()
	fmt.Println(clock.Today().UTC().Year())
	// Output:
	// 2026
}
