package guard

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/components/rule"
)

// Error says that a program has been stopped for what [Enforce] has found. It wraps the
// findings that stop it, each as a [*rule.FindingError]; so errors.As finds these, and what they
// wrap.
//
// [Program] returns it, and package mocktest hands it on. Of the Automation API only the text
// arrives, as Pulumi has the errors of programs sent as text; there, [ReportTo] has the findings.
type Error struct {
	// Count is the number of errors, silenced ones not among them.
	Count int
	// Report is what is known about the program.
	Report Report
}

// Error is one line: the findings have been shown.
func (e *Error) Error() string {
	if e.Count == 1 {
		return stopped + "1 error, shown at its resource"
	}
	return fmt.Sprintf("%s%d errors, shown at their resources", stopped, e.Count)
}

// Unwrap returns the findings that stop the program.
func (e *Error) Unwrap() []error {
	var errs []error
	for _, f := range e.Report.Blocking() {
		errs = append(errs, &rule.FindingError{Finding: f.Finding})
	}
	return errs
}

// stopped begins each error for which the findings have been logged.
const stopped = "mixedkube preflight: "

// news is what an error of the run says beside what has been shown already: nil if
// that is nothing.
func news(err error) error {
	switch joined := err.(type) { //nolint:errorlint // each part is looked at
	case nil, *Error:
		return nil
	case interface{ Unwrap() []error }:
		var rest []error
		for _, part := range joined.Unwrap() {
			rest = append(rest, news(part))
		}
		return errors.Join(rest...)
	case interface{ WrappedErrors() []error }: // Pulumi's own
		var rest []error
		for _, part := range joined.WrappedErrors() {
			rest = append(rest, news(part))
		}
		return errors.Join(rest...)
	}
	// The engine hands over the error of a transform as a text.
	if strings.Contains(err.Error(), errNotDeployed.Error()) {
		return nil
	}
	return err
}
