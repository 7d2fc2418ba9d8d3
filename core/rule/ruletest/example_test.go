package ruletest_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

// The findings of a test become the examples that mixedkube explain shows.
func ExampleFound() {
	examples := ruletest.Found([]rule.Finding{{
		Rule: "MK702", Severity: rule.Error, Path: "pools[1].name", Value: "windows",
		Detail: "7 characters, and 6 are allowed", Fix: "use at most 6",
	}})
	fmt.Println(examples["MK702"].Findings)
	fmt.Println(examples["MK702"].Fix)
	// Output:
	// [error: pools[1].name: "windows": 7 characters, and 6 are allowed: use at most 6 (MK702)]
	// use at most 6
}
