package aged_test

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
)

func ExampleProblems() {
	for _, p := range aged.Problems("kubernetesVersion", time.Date(2036, time.January, 1, 0, 0, 0, 0, time.UTC), "SKUs") {
		fmt.Println(p.Path, p.Value, p.Fix)
	}
	// Output: kubernetesVersion SKUs use a newer release of mixedkube; mixedkube version --facts shows the sources
}
