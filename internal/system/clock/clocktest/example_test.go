package clocktest_test

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/internal/system/clock"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

// Tests get the same findings on any day.
func Example() {
	fmt.Println(clock.Today().Format(time.DateOnly))
	// Output: 2026-11-24
}
