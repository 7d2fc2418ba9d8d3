package report

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// The parts of JUnit's XML that are used, as Jenkins reads them. JUnit has no official schema; tools refer to
// junit-10.xsd of Jenkins' plugin xunit:
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []*junitCase `xml:"testcase"`

		cases map[string]*junitCase
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	junitCase struct {
		Name  string `xml:"name,attr"`
		Class string `xml:"classname,attr"`
		// Error is why the file could not be read. Failure is what is wrong with the object.
		Error   *junitFault `xml:"error"`
		Failure *junitFault `xml:"failure"`
		// Output lists the findings that do not block.
		Output string `xml:"system-out,omitempty"`

		output []string
	}
	junitFault struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`

		// lines are the lines of the text, and more is the number of faults after the first one.
		lines []string
		more  int
	}
)

// canBeRead is the name of the case of a file that could not be read.
const canBeRead = "can be read"

// Checked identifies an object that was checked.
type Checked struct {
	Object
	// File is the file of the object.
	File string
}

// String returns the file and the object: "shop.yaml: Deployment/web".
func (c Checked) String() string { return join(": ", c.File, c.Object.String()) }

// WriteJUnit writes a JUnit report. Each file, or the program, is a suite. Each object that is in [Report.Checked] or
// has a finding is a case of it. A case fails with the errors that are not suppressed, combined into one failure that
// has the URL of each rule; other findings are its output. A file that could not be read is a case with an error.
// Objects of the same file with the same kind, namespace and name share one case.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "mixedkube"}
	suites := map[string]*junitSuite{}
	suite := func(name string) *junitSuite {
		if suites[name] == nil {
			suites[name] = &junitSuite{Name: fielderrors.Printable(name), cases: map[string]*junitCase{}}
			all.Suites = append(all.Suites, suites[name])
		}
		return suites[name]
	}
	for _, c := range r.Checked {
		suite(c.File).of(c.Key())
	}
	for _, f := range r.Findings {
		in := suite(cmp.Or(f.File, r.Program, "program"))
		in.of(cmp.Or(f.Key(), f.subject())).add(f)
	}
	for _, problem := range manifests.Flat(r.Problems) {
		file := "mixedkube"
		if inFile, ok := errors.AsType[*manifests.Error](problem); ok {
			file = inFile.File
		}
		one := suite(file).of(canBeRead)
		one.Error = one.Error.with("unreadable", fielderrors.Printable(problem.Error()))
	}
	for _, s := range all.Suites {
		s.count()
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+escape.XML(string(text))+"\n")
	return err
}

// of returns the case with a name, and creates it if it does not exist.
func (s *junitSuite) of(name string) *junitCase {
	if s.cases[name] == nil {
		s.cases[name] = &junitCase{Name: fielderrors.Printable(name), Class: s.Name}
		s.Cases = append(s.Cases, s.cases[name])
	}
	return s.cases[name]
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		c.finish()
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
	}
}

func (c *junitCase) add(f Finding) {
	line := ""
	if f.Line > 0 {
		line = fmt.Sprintf("line %d: ", f.Line)
	}
	if f.Blocks() {
		c.Failure = c.Failure.with(f.Rule, line+f.String())
		if f.Rule != "" {
			c.Failure.lines = append(c.Failure.lines, "  "+rule.URL(f.Rule))
		}
		return
	}
	severity := string(f.Severity)
	if f.Suppressed {
		severity += fmt.Sprintf(" (suppressed by %s)", f.SuppressedBy)
	}
	c.output = append(c.output, line+severity+": "+f.String())
}

// with returns the fault with one more line. The first line is its message.
func (f *junitFault) with(kind, line string) *junitFault {
	if f == nil {
		return &junitFault{Message: line, Type: kind, lines: []string{line}}
	}
	f.lines = append(f.lines, line)
	f.more++
	return f
}

func (c *junitCase) finish() {
	for _, f := range []*junitFault{c.Failure, c.Error} {
		if f == nil {
			continue
		}
		f.Text = strings.Join(f.lines, "\n")
		if f.more > 0 {
			f.Message += fmt.Sprintf(" [and %d more]", f.more)
		}
	}
	c.Output = strings.Join(c.output, "\n")
}
