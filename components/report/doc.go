// Package report is what is said about the objects of a program, or of manifests, as a whole:
// the findings with the objects that they are about, which of them somebody has accepted, where
// the pods can land, and what was not checked.
//
// A team that begins with many findings accepts them step by step. A [Policy] decides it for each
// finding: an [Ignore] of the team's, or a [Baseline], the file of the findings that were there
// when the team began. Package guard and the command mixedkube use the same Policy, and write the
// same JSON and SARIF; the command writes JUnit and GitLab's code quality as well.
package report
