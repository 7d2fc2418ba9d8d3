package release

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// junitSchema is the path of the schema, whose header has its source and its license.
const junitSchema = "testdata/junit-10.xsd"

// notJUnit returns xmllint's message about a text that does not match the schema, or "" if it matches. It skips
// the test if xmllint is not available for this machine.
func notJUnit(t *testing.T, text string) string {
	t.Helper()
	program := unpacked.Program(t, debian.XMLLint)
	cmd := exec.CommandContext(t.Context(), program, "--noout", "--nonet", "--schema", junitSchema, "-")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	// By the manual, the status is 1 for a text that is not XML, and 3 for a text that does not match the schema.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && (exit.ExitCode() == 1 || exit.ExitCode() == 3) {
		return fmt.Sprintf("exit %d: %s", exit.ExitCode(), out)
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return ""
}

// Jenkins and compatible programs read JUnit's XML by this schema.
func TestJUnitIsValid(t *testing.T) {
	t.Parallel()
	for name, args := range checked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if wrong := notJUnit(t, string(written(t, "junit", args))); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}

// The test above would also pass if xmllint accepted every text.
func TestABrokenReportIsNotJUnit(t *testing.T) {
	t.Parallel()
	text := string(written(t, "junit", checked["some are good"]))
	for _, tt := range []struct{ replaced, by, want string }{
		{"testsuites", "tests", "Element 'tests': No matching global declaration available for the validation root."},
		{"<testsuites ", `<testsuites passed="1" `, "attribute 'passed': The attribute 'passed' is not allowed."},
		{"<testsuites ", `<testsuites time="soon" `, "[facet 'pattern'] The value 'soon' is not accepted"},
		{"<testsuite name=", "<testsuite file=", "Element 'testsuite': The attribute 'name' is required but missing."},
		{` failures="1" errors="0">`, ">", "Element 'testsuite': The attribute 'failures' is required but missing."},
		{"<testcase name=", "<testcase group=", "Element 'testcase': The attribute 'name' is required but missing."},
		{"<testcase ", "text<testcase ", "Element 'testsuite': Character content other than whitespace is not allowed"},
		{"failure", "failed", "Element 'failed': This element is not expected."},
		{"<failure ", `<failure line="1" `, "attribute 'line': The attribute 'line' is not allowed."},
		{"<system-out>", "<system-out><b/>", "Element 'system-out': Element content is not allowed"},
		{"</testsuites>", `<testcase name="a"/></testsuites>`, "Element 'testcase': This element is not expected."},
		{"</testsuites>", "", "parser error : Premature end of data in tag testsuites"},
	} {
		wrong := strings.ReplaceAll(text, tt.replaced, tt.by)
		if got := notJUnit(t, wrong); wrong == text || !strings.Contains(got, tt.want) {
			t.Errorf("%s instead of %s: xmllint prints %q, want %s", tt.by, tt.replaced, got, tt.want)
		}
	}
}
