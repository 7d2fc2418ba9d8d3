package lives_test

import (
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

func ExampleAged() {
	today := time.Date(2036, time.January, 1, 0, 0, 0, 0, time.UTC)
	old, oldest := lives.Aged(today, "SKUs", "AKSReleases")
	fmt.Println(old, oldest < today.Format(time.DateOnly))
	// Output: [AKSReleases SKUs] true
}
