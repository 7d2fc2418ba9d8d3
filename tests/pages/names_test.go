package pages

import (
	"regexp"
	"testing"
)

var (
	// testName matches the names of tests in pages, except names with an ellipsis, and testFunction tests in files of
	// Go.
	testName     = regexp.MustCompile(`\b(Test[A-Z]\w+)(?:[^\w…]|$)`)
	testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// TestNamedTestsExist looks for the tests that the pages name.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	existing := map[string]bool{}
	for _, file := range files(t, "_test.go") {
		for _, m := range testFunction.FindAllStringSubmatch(read(t, root, file), -1) {
			existing[m[1]] = true
		}
	}
	found := 0
	for _, page := range files(t, ".md") {
		for _, m := range testName.FindAllStringSubmatch(read(t, root, page), -1) {
			found++
			if !existing[m[1]] {
				t.Errorf("%s: there is no test %s", page, m[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("the pages name only %d tests", found)
	}
}
