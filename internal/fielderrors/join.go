// Package fielderrors turns lists of field errors into one error that people
// can read: sorted by path, one a line.
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

// Join makes one error of a list: nil for an empty one. The subject says what
// the paths are in, a resource or a file. Errors that say the same are reported
// once; [errors.As] finds each *field.Error.
func Join(subject string, list field.ErrorList) error {
	if len(list) == 0 {
		return nil
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b *field.Error) int { return ComparePaths(a.Field, b.Field) })
	var errs []error
	seen := map[string]bool{}
	for _, err := range sorted {
		if !seen[err.Error()] {
			seen[err.Error()] = true
			errs = append(errs, err)
		}
	}
	if len(errs) == 1 {
		return fmt.Errorf("%s: %w", subject, errs[0])
	}
	return &joined{subject, errors.Join(errs...)}
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
