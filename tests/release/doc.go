// Package release tests the artifacts for users without Go: the formats of reports, compared with the
// schemas of their publishers; the script behind the GitHub Action, the template for GitLab and the hook
// for pre-commit, run in the same way as these services do; and .goreleaser.yaml. With the flag -snapshot
// it tests a release that `make release-snapshot` has built.
//
// testdata/junit-10.xsd is the schema of Jenkins' plugin xunit, copied from the tests in the source package
// of pytest 8.4.2. The schema of SARIF is part of the module go-sarif. No package has GitLab's schema of
// code quality: a test checks the requirements of GitLab's documentation.
package release
