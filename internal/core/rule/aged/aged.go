// Package aged has the problem of rules about the age of facts.
package aged

import (
	"fmt"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// Reason is the reason of these rules.
const Reason = "What clouds and Kubernetes support changes without a change of this library. Its tables have the day on " +
	"which their sources were read; after half a year, findings may be missing or wrong."

// Problems returns the problem that facts with these names are old, at a path. It returns nothing if none of them is, or
// if today is zero.
func Problems(path string, today time.Time, names ...string) []rule.Problem {
	old, oldest := lives.Aged(today, names...)
	if len(old) == 0 {
		return nil
	}
	return []rule.Problem{{
		Path: path, Value: strings.Join(old, ", "),
		Detail: fmt.Sprintf("looked up more than %d days ago, the oldest on %s", lives.Old, oldest),
		Fix:    "use a newer release of mixedkube; mixedkube version --facts shows the sources",
	}}
}
