// Package architecture has only tests, which enforce the floors of this module and the size of
// its signatures. They list the imports of every package and compare them with the tables in
// rules_test.go: which packages a package may import or reach, and which modules the root go.mod
// may require. They compare ARCHITECTURE.md with these tables, draw its picture, count parameters,
// and check that every file is built on every system. They also check the permissions of the
// workflows, the issue forms, and that Dependabot knows every module.
package architecture
