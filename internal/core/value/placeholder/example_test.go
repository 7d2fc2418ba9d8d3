package placeholder_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
)

// The value of a placeholder is not known.
func Example() {
	for _, text := range []string{"3", "${REPLICAS}", "<replicas>"} {
		fmt.Println(text, placeholder.In(text))
	}
	// Output:
	// 3 false
	// ${REPLICAS} true
	// <replicas> true
}
