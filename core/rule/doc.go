// Package rule defines a rule, a finding, and the list of findings that a check reports to. All checks of this library
// use it.
//
// A rule is a variable next to its check, and the check reports through it:
//
//	var poolNameTooLong = rule.Rule{ID: "MK702", Severity: rule.Error, Title: "a pool's name is too long"}
//
//	findings.Report(poolNameTooLong, rule.Problem{Path: "pools[0].name", Value: name, Detail: "…", Fix: "…"})
//
// The compiler therefore checks that the rule exists. Each package with checks lists its rules in one [Set].
package rule
