// Package seeds compares the project with its seeds, the guides of Kubernetes and of Windows from
// which it started: each of their rows works, each limitation that they name is a rule or a
// sentence of the documentation, and mixedkube can read each of their manifests. testdata has
// the data of the guides.
//
// testdata/script.txt shows each row at work: the commands, and the lines that they print. It marks what
// needs real Windows as not run.
//
// The test of a row checks that the row's components, examples, rules and pages exist. Other tests
// cover their behavior: the table in docs/guides.md names these tests for each row, and a test
// checks that they exist.
package seeds
