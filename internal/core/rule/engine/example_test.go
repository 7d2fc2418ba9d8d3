package engine_test

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// A rule is one value, with its check. The set of the rules about one type of subject runs them.
func Example() {
	poolNames := &engine.Scope[string]{Name: "names of pools"}
	tooLong := engine.Rule{
		Rule: rule.Rule{ID: "MK702", Severity: rule.Error, Title: "a pool's name is too long", Fix: "use a shorter one"},
		Checks: []engine.Check{engine.On(poolNames, func(name string) []rule.Problem {
			if len(name) <= 6 {
				return nil
			}
			return []rule.Problem{{Path: "name", Value: name, Detail: "has more than 6 characters"}}
		})},
	}
	set := engine.New[string](tooLong)
	for _, name := range []string{"win22", "windows"} {
		for _, finding := range set.Find(name, 0) {
			fmt.Println(finding)
		}
	}
	fmt.Println(tooLong.ID, "looks at", strings.Join(tooLong.LooksAt(), ", "))
	// Output:
	// name: "windows": has more than 6 characters: use a shorter one (MK702)
	// MK702 looks at names of pools
}
