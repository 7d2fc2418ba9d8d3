package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// inFile returns a finding about an object of a file.
func inFile(file, object string, line int, r rule.Finding, by Suppressor) Finding {
	kind, name, _ := strings.Cut(object, "/")
	r.Suppressed = by != ""
	return Finding{Finding: r, Object: Object{Kind: kind, Name: name}, File: file, Line: line, SuppressedBy: by}
}

func wrongAt(path string, severity rule.Severity) rule.Finding {
	return rule.Finding{Rule: "MK111", Severity: severity, Path: path, Detail: "no"}
}

// mixed returns a report with everything that a report can contain.
func mixed() *Report {
	return &Report{
		Checked: []Checked{
			{Object{Kind: "Pod", Name: "good"}, "a.yaml"},
			{Object{Kind: "Pod", Name: "bad"}, "a.yaml"},
			{Object{Kind: "Pod", Name: "good"}, "b.yaml"},
		},
		Findings: []Finding{
			inFile("a.yaml", "Pod/bad", 7, wrongAt("a", rule.Error), ""),
			inFile("a.yaml", "Pod/bad", 8, wrongAt("b", rule.Warning), ""),
			inFile("a.yaml", "Pod/bad", 9, wrongAt("c", rule.Error), ""),
			inFile("a.yaml", "Pod/bad", 9, wrongAt("c", rule.Error), ByBaseline),
			inFile("c.yaml", "Pod/<&>\x01", 1, wrongAt("d", rule.Info), ""),
		},
		Problems: []error{
			&manifests.Error{File: "a.yaml", Line: 3, Detail: "a tab"},
			errors.Join(&manifests.Error{File: "d.yaml", Detail: "is a directory"}, errors.New("no helm on PATH")),
		},
	}
}

// junitRead is the XML as a JUnit reader decodes it.
type junitRead struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name    string     `xml:"name,attr"`
			Class   string     `xml:"classname,attr"`
			Failure *faultRead `xml:"failure"`
			Error   *faultRead `xml:"error"`
			Output  string     `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type faultRead struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func TestJUnitHasACaseForEachObject(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	if err := mixed().WriteJUnit(&text); err != nil {
		t.Fatal(err)
	}
	var read junitRead
	if err := xml.Unmarshal(text.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	// One line for each case: the suite, the case, its failure, its error, its output.
	var got []string
	tests, failures, faults := 0, 0, 0
	for _, s := range read.Suites {
		tests, failures, faults = tests+s.Tests, failures+s.Failures, faults+s.Errors
		for _, c := range s.Cases {
			line := s.Name + " | " + c.Name
			if f := c.Failure; f != nil {
				line += " | failure " + f.Type + ": " + f.Message + " = " + f.Text
			}
			if f := c.Error; f != nil {
				line += " | error " + f.Type + ": " + f.Message + " = " + f.Text
			}
			if c.Output != "" {
				line += " | " + c.Output
			}
			if c.Class != s.Name {
				t.Errorf("the class of %s is %q", c.Name, c.Class)
			}
			got = append(got, line)
		}
	}
	want := []string{
		"a.yaml | Pod/good",
		"a.yaml | Pod/bad | failure MK111: line 7: a: no (MK111) [and 1 more] = " +
			"line 7: a: no (MK111)\n  " + rule.URL("MK111") + "\n" +
			"line 9: c: no (MK111)\n  " + rule.URL("MK111") + " | " +
			"line 8: warning: b: no (MK111)\nline 9: error (suppressed by baseline): c: no (MK111)",
		"a.yaml | can be read | error unreadable: a.yaml:3: a tab = a.yaml:3: a tab",
		"b.yaml | Pod/good",
		`c.yaml | Pod/<&>\x01 | line 1: info: d: no (MK111)`,
		"d.yaml | can be read | error unreadable: d.yaml: is a directory = d.yaml: is a directory",
		"mixedkube | can be read | error unreadable: no helm on PATH = no helm on PATH",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if read.Tests != 7 || read.Failures != 1 || read.Errors != 3 ||
		tests != read.Tests || failures != read.Failures || faults != read.Errors {
		t.Errorf("%d tests, %d failures, %d errors, want 7, 1 and 3, as the suites have: %d, %d, %d", read.Tests,
			read.Failures, read.Errors, tests, failures, faults)
	}
}

// The suite of a program is named after the program's file.
func TestJUnitOfAProgram(t *testing.T) {
	t.Parallel()
	finding := Finding{Finding: wrongAt("spec", rule.Error), Object: Object{
		Resource: "urn:pulumi:dev::shop::kubernetes:core/v1:Pod::web", Kind: "Pod",
	}}
	for program, want := range map[string]string{"/src/Pulumi.yaml": "/src/Pulumi.yaml", "": "program"} {
		var text bytes.Buffer
		if err := (&Report{Findings: []Finding{finding}, Program: program}).WriteJUnit(&text); err != nil {
			t.Fatal(err)
		}
		var read junitRead
		if err := xml.Unmarshal(text.Bytes(), &read); err != nil {
			t.Fatal(err)
		}
		if len(read.Suites) != 1 || read.Suites[0].Name != want ||
			read.Suites[0].Cases[0].Name != "kubernetes:core/v1:Pod::web" {
			t.Errorf("%q: the suites are %+v", program, read.Suites)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	if err := mixed().WriteJUnit(brokenPipe{}); err == nil || err.Error() != "broken pipe" {
		t.Errorf("JUnit: the error is %v", err)
	}
	if err := mixed().WriteCodeQuality(brokenPipe{}, "/"); err == nil || err.Error() != "broken pipe" {
		t.Errorf("code quality: the error is %v", err)
	}
}
