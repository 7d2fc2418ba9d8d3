package manifest

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// at keeps the order of errors about files, and appends those about fields, by path.
func at(errs []error) []fielderrors.At {
	var all []fielderrors.At
	for _, err := range errs {
		path := ""
		if e, ok := errors.AsType[*field.Error](err); ok {
			path = e.Field
		}
		all = append(all, fielderrors.At{Path: path, Err: err})
	}
	return all
}

// FindingError is a blocking finding as an error.
type FindingError struct{ Finding }

// Error returns the file, the line, the object, the field and the mistake.
func (e *FindingError) Error() string { return escape.Line(e.String()) }

// Unwrap returns the finding as an error of package preflight.
func (e *FindingError) Unwrap() error { return &preflight.FindingError{Finding: e.Finding.Finding} }
