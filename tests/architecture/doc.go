// Package architecture holds the layers of this module, and the size of its signatures: it
// has tests only. They list the imports of every package and compare them with the tables
// in rules_test.go: which package may import which, what must not be reachable from where,
// and which modules the root go.mod may require. ARCHITECTURE.md must have the same layers.
// They count parameters, and look at what the workflows may do and whether Dependabot knows
// every module.
package architecture
