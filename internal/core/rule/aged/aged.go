// Package aged has the problem of rules about the age of facts.
package aged

import (
	"fmt"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Reason is the reason of these rules.
const Reason = "What clouds and Kubernetes support changes without a change of this library. Its tables have the day " +
	"on which their sources were read; after half a year, findings may be missing or wrong."

// Use is the use of facts in a run.
type Use struct {
	// Today is the day of the run. If it is zero, nothing is old.
	Today time.Time
	// Names are the names of the facts.
	Names []string
}

// Uses are the subjects of these rules.
var Uses = &engine.Scope[Use]{Name: "what is known about clouds, Kubernetes and images"}

// Problems returns the problem that facts are old. It has no path, because it is about the whole run. It returns nothing
// if none of the facts is old.
func Problems(u Use) []rule.Problem {
	old, oldest := lives.Aged(u.Today, u.Names...)
	if len(old) == 0 {
		return nil
	}
	return []rule.Problem{{
		Value:  strings.Join(old, ", "),
		Detail: fmt.Sprintf("looked up more than %d days ago, the oldest on %s", lives.Old, oldest),
		Fix:    "use a newer release of mixedkube; mixedkube version --facts shows the sources",
	}}
}
