// Package report is the result of checking the objects of a program or of manifests: the findings with the objects that
// they belong to, which findings are accepted, where the pods can be scheduled, and what was not checked.
//
// A team that starts with many findings can accept them step by step. A [Policy] decides for each finding whether it is
// accepted: by an [Ignore] of the team, or by a [Baseline], the file of the findings that existed when the team
// started. Package guard and the command mixedkube use the same Policy, and write the same JSON and SARIF; the command
// also writes JUnit and GitLab code quality reports.
package report
