// Package release tests what people get who have no Go: the formats of reports, each held against the
// schema that its publisher has; the script behind the GitHub Action, the template for GitLab and the
// hook for pre-commit, which are run as these run them; and what .goreleaser.yaml says. With the flag
// -snapshot it tests a release that `make release-snapshot` has built.
//
// testdata/junit-10.xsd is the schema of Jenkins' plugin xunit, as the source package of pytest 8.4.2
// brings it to its own tests. The schema of SARIF is part of the module go-sarif. GitLab's schema of code
// quality is not part of a package: a test says what GitLab's documentation requires.
package release
