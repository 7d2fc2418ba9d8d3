// Package fielderrors joins lists of field errors into one readable error: sorted by path, one
// per line. It also finds the word that the user probably meant, for the "did you mean" of such
// an error. This is only a suggestion: callers must not act on it as if the user had written it.
package fielderrors

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// At is an error with the path of its field, which its text begins with.
type At struct {
	Path string
	Err  error
}

// Join joins a list of errors, and other errors, into one. It returns nil if there are none.
// The subject names what the paths are in: a resource or a file. Errors with the same
// text are reported once; [errors.As] finds each of them.
func Join(subject string, list field.ErrorList, others ...At) error {
	all := slices.Clone(others)
	for _, err := range list {
		all = append(all, At{err.Field, legible(err)})
	}
	slices.SortStableFunc(all, func(a, b At) int { return ComparePaths(a.Path, b.Path) })
	var errs []error
	seen := map[string]bool{}
	for _, err := range all {
		if text := err.Err.Error(); !seen[text] {
			seen[text] = true
			errs = append(errs, err.Err)
		}
	}
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s: %w", subject, errs[0])
	default:
		return &joined{subject, errors.Join(errs...)}
	}
}

type joined struct {
	subject string
	errs    error
}

func (j *joined) Error() string {
	return escape.Commands(j.subject + ":\n  " + strings.ReplaceAll(j.errs.Error(), "\n", "\n  "))
}

func (j *joined) Unwrap() error { return j.errs }
