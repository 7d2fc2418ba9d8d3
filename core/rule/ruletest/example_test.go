package ruletest_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

// A test of something that shows findings compares them without their sentences.
func ExampleBrief() {
	fmt.Println(ruletest.Brief(rule.Finding{
		Rule: "MK702", Severity: rule.Error, Path: "pools[1].name", Value: "windows",
		Detail: "7 characters, and 6 are allowed", Fix: "use at most 6",
	}))
	// Output: pools[1].name (MK702)
}
