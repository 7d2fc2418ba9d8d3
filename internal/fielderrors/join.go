// Package fielderrors turns lists of field errors into one error that people
// can read: sorted by path, one a line. It also finds the word that somebody probably
// meant, for the "did you mean" of such an error. It only suggests: whoever calls it must
// not act on the answer as if it had been written.
package fielderrors

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// At is an error whose text begins with the path of its field.
type At struct {
	Path string
	Err  error
}

// Join makes one error of a list, and of others beside it: nil if there are none.
// The subject says what the paths are in, a resource or a file. Errors that say the
// same are reported once; [errors.As] finds each of them.
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

// ComparePaths orders field paths as people read them: pools[2] before pools[10].
func ComparePaths(a, b string) int { return cmp.Compare(sortKey(a), sortKey(b)) }

var number = regexp.MustCompile(`\d+`)

// sortKey makes numbers sort as numbers.
func sortKey(path string) string {
	return number.ReplaceAllStringFunc(path, func(n string) string { return fmt.Sprintf("%020s", n) })
}

type joined struct {
	subject string
	errs    error
}

func (j *joined) Error() string {
	return j.subject + ":\n  " + strings.ReplaceAll(j.errs.Error(), "\n", "\n  ")
}

func (j *joined) Unwrap() error { return j.errs }
