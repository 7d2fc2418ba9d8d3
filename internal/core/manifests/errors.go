package manifests

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Error is one error in a file.
type Error struct {
	File string
	// Line is 0 for an error of the whole file.
	Line   int
	Detail string

	// Template is true if the document may be a template that was not rendered.
	Template bool
	// NoObject is true if the file cannot have an object: its text does not have the word apiVersion.
	NoObject bool
	// Tab is a line near this one that a tab indents, which may have caused the parser's error; 0 if there is none.
	Tab int

	// Quiet is Detail without the values in the file, "" if they cannot be told apart.
	Quiet string
}

// Error formats the error in one line, with its position, as compilers do.
func (e *Error) Error() string {
	detail := e.Detail
	if e.Template {
		detail += ": looks like a template: render it first"
	}
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return escape.Line(fielderrors.Printable(at + ": " + detail))
}

// unreadable stands for the details of errors of parsers, which quote the text.
const unreadable = "cannot be read as YAML or JSON: mixedkube check with this file says why"

// WithoutValues returns an error of this package without the values in the file, for those who may not read it: the
// file, the line, the key, what is wrong and how to correct it.
func WithoutValues(err error) error {
	if err == nil {
		return nil
	}
	all := Flat([]error{err})
	for i := range all {
		if e, ok := errors.AsType[*Error](all[i]); ok {
			all[i] = &Error{File: e.File, Line: e.Line, Detail: cmp.Or(e.Quiet, unreadable)}
		}
	}
	return errors.Join(all...)
}

// problems collects the errors of one file.
type problems struct {
	file string
	list []error
	// more is the number of errors that are not listed.
	more int
	// lenient is true if a mapping may have a key twice.
	lenient bool
}

func (p *problems) add(line int, format string, args ...any) {
	p.addError(Error{Line: line, Detail: fmt.Sprintf(format, args...)})
}

func (p *problems) addError(e Error) {
	if len(p.list) == MaxErrors {
		p.more++
		return
	}
	e.File = p.file
	p.list = append(p.list, &e)
}

func (p *problems) count() int { return len(p.list) + p.more }

// join adds the errors from another part of the same file.
func (p *problems) join(other *problems) {
	listed := min(len(other.list), MaxErrors-len(p.list))
	p.list = append(p.list, other.list[:listed]...)
	p.more += other.count() - listed
}

func (p *problems) err() error {
	if p.more > 0 {
		p.list = append(p.list, &Error{File: p.file, Detail: fmt.Sprintf("%d more errors", p.more)})
	}
	return errors.Join(p.list...)
}

// Flat splits joined errors.
func Flat(errs []error) []error {
	var list []error
	for _, err := range errs {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			list = append(list, Flat(joined.Unwrap())...)
		} else {
			list = append(list, err)
		}
	}
	return list
}
