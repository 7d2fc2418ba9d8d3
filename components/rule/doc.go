// Package rule is what the checks of this library have in common: the rule, the
// finding, and the list that a check reports to.
//
// A rule is a variable beside its check, and the check reports through it:
//
//	var poolNameTooLong = rule.Rule{ID: "MK702", Severity: rule.Error, Title: "a pool's name is too long"}
//
//	findings.Report(poolNameTooLong, rule.Problem{Path: "pools[0].name", Value: name, Detail: "…", Fix: "…"})
//
// So the compiler knows that there is such a rule. Each package with checks lists its
// rules in one [Set].
package rule
