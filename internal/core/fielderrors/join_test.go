package fielderrors_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	a := field.Invalid(field.NewPath("a"), 1, "too small: use 2")
	b := field.Required(field.NewPath("b"), "say b")

	t.Run("an empty list is not an error", func(t *testing.T) {
		t.Parallel()
		if err := fielderrors.Join("x", nil); err != nil {
			t.Errorf("got %v", err)
		}
	})
	t.Run("one error is on the subject's line", func(t *testing.T) {
		t.Parallel()
		got := fielderrors.Join(`Deployment "web"`, field.ErrorList{b}).Error()
		if want := `Deployment "web": b: Required value: say b`; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("several are sorted, one per line, each once", func(t *testing.T) {
		t.Parallel()
		err := fielderrors.Join("x", field.ErrorList{b, a, b})
		want := "x:\n  a: Invalid value: 1: too small: use 2\n  b: Required value: say b"
		if err.Error() != want {
			t.Errorf("got %q, want %q", err.Error(), want)
		}
		ten := field.Required(field.NewPath("pools").Index(10), "x")
		two := field.Required(field.NewPath("pools").Index(2), "x")
		if got, want := fielderrors.Join("x", field.ErrorList{ten, two}).Error(),
			"x:\n  pools[2]: Required value: x\n  pools[10]: Required value: x"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		var fieldErr *field.Error
		if !errors.As(err, &fieldErr) || fieldErr != a {
			t.Errorf("errors.As found %v, want the first field error", fieldErr)
		}
	})
}
