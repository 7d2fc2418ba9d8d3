package aged_test

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
)

func ExampleProblems() {
	day := time.Date(2036, time.January, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range aged.Problems(aged.Use{Today: day, Names: []string{"SKUs"}}) {
		fmt.Println(p.Value, p.Fix)
	}
	// Output: SKUs use a newer release of mixedkube; mixedkube version --facts shows the sources
}
