package policy_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/policy"
)

// The command becomes the policy pack when the engine starts it under the name of the pack.
func ExampleIsProgram() {
	fmt.Println(policy.IsProgram("/usr/local/bin/" + policy.Program))
	fmt.Println(policy.IsProgram("/usr/local/bin/mixedkube"))
	// Output:
	// true
	// false
}
