package guard

import (
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Report is the report about the objects of a program.
type Report = report.Report

// Error reports that findings of [Enforce], or wrong arguments of components, have stopped a program. It wraps each of
// these findings as a [*rule.FindingError], and the errors of the components; so errors.As finds them, and the errors
// that they wrap.
//
// [Program] returns it; package mocktest and the SDK's mocks pass it to their caller. Those mocks discard the log, so
// under them the text has the findings. A program that is not wrapped in [Program] fails under those mocks with the
// findings that are known at the first error. Users of the Automation API receive only the text, because Pulumi sends
// the errors of programs as text; there, [ReportTo] has the findings.
type Error struct {
	// Count is the number of errors without the suppressed ones.
	Count int
	// Report is the report about the program.
	Report Report

	refused           []error // of components about their arguments
	endless, unlogged bool    // see [record.Stopped]
}

func newError(s record.Stopped) error {
	return &Error{s.Errors, s.Report, s.Refused, s.Endless, s.Unlogged}
}

// Error returns one line if the log has the findings, and otherwise the findings.
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
	for _, err := range e.refused {
		lines = append(lines, strings.ReplaceAll(err.Error(), "\n", "\n  "))
	}
	if e.endless {
		lines = append(lines, wrap)
	}
	return escape.Lines(strings.Join(lines, "\n  "))
}

// wrap explains how to get more than the first errors.
const wrap = "there can be more findings: to see all of them, wrap the program: " +
	"pulumi.RunErr(guard.Program(program), pulumi.WithMocks(...))"

// Unwrap returns the findings that stop the program, and the errors of components with wrong arguments.
func (e *Error) Unwrap() []error {
	var errs []error
	for _, f := range e.Report.Blocking() {
		errs = append(errs, &rule.FindingError{Finding: f.Finding})
	}
	return append(errs, e.refused...)
}

// stopped is the beginning of each error whose findings are in the log.
const stopped = "mixedkube preflight: "

// news returns the part of an error that has not been shown yet, or nil if all of it has.
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
	// The engine passes the error of a transform as a text.
	if _, found := errors.AsType[*Error](err); found || strings.Contains(err.Error(), watch.ErrNotDeployed.Error()) {
		return nil
	}
	return err
}
