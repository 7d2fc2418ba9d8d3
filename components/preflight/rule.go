package preflight

import (
	"maps"
	"slices"
)

// Rule is a row of the table of rules.
type Rule struct {
	// ID never changes and is never given to another rule.
	ID string
	// Severity is that of the rule's findings.
	Severity Severity
	// Title says in a few words what is wrong.
	Title string
	// Since and Until are the first and the last minor version of Kubernetes for
	// which the rule holds, for example "1.34". Empty means all.
	Since, Until string
	// Reason says why it matters.
	Reason string
	// Source is where the rule comes from: a file of Kubernetes, a page of its
	// documentation or of Microsoft's.
	Source string
}

// Rules returns all rules, in the order of their IDs.
func Rules() []Rule {
	return slices.SortedFunc(maps.Values(rules), func(a, b Rule) int {
		switch {
		case a.ID < b.ID:
			return -1
		case a.ID > b.ID:
			return 1
		default:
			return 0
		}
	})
}

// rules is the table, by ID. Nothing writes to it.
var rules = index(apiRules, imageRules, placementRules, admissionRules, runtimeClassRules, windowsRules, serviceRules, lackRules, metaRules, annotationRules)

func index(groups ...[]Rule) map[string]Rule {
	byID := map[string]Rule{}
	for _, rule := range slices.Concat(groups...) {
		byID[rule.ID] = rule
	}
	return byID
}
