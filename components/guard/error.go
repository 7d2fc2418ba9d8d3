package guard

import (
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Error says that a program has been stopped for what [Enforce] has found. It wraps the
// findings that stop it, each as a [*rule.FindingError]; so errors.As finds these, and what they
// wrap.
//
// [Program] returns it; package mocktest and the SDK's mocks hand it on. Those mocks throw the log
// away, so its text has the findings then. A program that is not wrapped in [Program] fails under
// those mocks with what is known when the first error is found. Of the Automation API only the text
// arrives, as Pulumi has the errors of programs sent as text; there, [ReportTo] has the findings.
type Error struct {
	// Count is the number of errors, silenced ones not among them.
	Count int
	// Report is what is known about the program.
	Report Report

	unlogged  bool // nobody has the log
	unwrapped bool
}

// Error is one line where the findings have been shown, and has them otherwise.
func (e *Error) Error() string {
	if !e.unlogged {
		where := "their resources"
		if e.Count == 1 {
			where = "its resource"
		}
		return stopped + fielderrors.Count(e.Count, "error") + ", shown at " + where
	}
	lines := []string{stopped + fielderrors.Count(e.Count, "error")}
	for _, f := range e.Report.Blocking() {
		lines = append(lines, f.Key()+": "+f.String())
	}
	if e.unwrapped {
		lines = append(lines, wrap)
	}
	return strings.Join(lines, "\n  ")
}

// wrap says how to learn of more than the first errors.
const wrap = "this is what is known so far: to see all, wrap the program: " +
	"pulumi.RunErr(guard.Program(program), pulumi.WithMocks(...))"

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
	if _, found := errors.AsType[*Error](err); found || strings.Contains(err.Error(), errNotDeployed.Error()) {
		return nil
	}
	return err
}
