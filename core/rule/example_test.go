package rule_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
)

var tooLong = rule.Rule{
	ID: "MK702", Severity: rule.Error, Title: "a pool's name is too long",
	Reason: "The computer name of a Windows node has 15 characters, of which AKS needs 9.",
}

// A check adds findings to a list. A finding that is ignored stays on the list and blocks nothing.
func Example() {
	var found rule.Findings
	if name := "windows"; len(name) > 6 {
		found.Report(tooLong, rule.Problem{
			Path: "pools[1].name", Value: name,
			Detail: "has 7 characters, and 6 fit", Fix: "use a shorter name",
		})
	}
	fmt.Println(found[0].Severity, found[0])
	fmt.Println("blocks:", found[0].Blocks())
	found.Suppress([]string{"MK702"})
	fmt.Println("blocks:", found[0].Blocks())
	fmt.Println("see", rule.URL(found[0].Rule))
	// Output:
	// error pools[1].name: "windows": has 7 characters, and 6 fit: use a shorter name (MK702)
	// blocks: true
	// blocks: false
	// see https://github.com/mixedkube/mixedkube/blob/main/docs/rules/aks-pools.md#mk702
}

// A set finds rules by their IDs, and suggests the rule that a misspelled ID means.
func ExampleSet() {
	rules := rule.NewSet(tooLong, rule.Rule{ID: "MK701", Severity: rule.Error, Title: "a wrong name"})
	r, found := rules.Find("MK701")
	fmt.Println(r.Title, found)
	near, _ := rules.Nearest("MK720")
	fmt.Println("did you mean", near)
	// Output:
	// a wrong name true
	// did you mean MK702
}
