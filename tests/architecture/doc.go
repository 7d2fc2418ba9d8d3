// Package architecture holds the layers of this module, and the size of its signatures: it
// has tests only. They list the imports of every package and compare them with the tables
// in rules_test.go: which package may import which, what must not be reachable from where,
// and which modules the root go.mod may require. They hold ARCHITECTURE.md to these tables,
// draw its picture, count parameters, check that every file is built on every system, and
// look at what the workflows may do, at the forms of issues and whether Dependabot knows
// every module.
package architecture
