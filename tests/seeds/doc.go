// Package seeds holds the project to the guides of Kubernetes and of Windows that it comes
// from: each of their rows works, each limitation that they name is a rule or a sentence of
// the documentation, and each of their manifests is understood. What they say is data, in
// testdata.
//
// The test of a row holds that the row's components, examples, rules and pages are there. What they do is tested beside
// them: the table in docs/guides.md
// names these tests for each row, and a test holds that they exist.
package seeds
