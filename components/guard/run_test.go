package guard

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
)

// several is the way in which Pulumi joins errors.
type several []error

func (s several) Error() string          { return fmt.Sprint([]error(s)) }
func (s several) WrappedErrors() []error { return s }

func TestOnlyErrorsNotYetShownAreReturned(t *testing.T) {
	t.Parallel()
	other := errors.New("no configuration")
	stopped := fmt.Errorf("waiting for RPCs: invoke transform: marshaling properties: %w", watch.ErrNotDeployed)
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"nothing", nil, ""},
		{"findings", &Error{Count: 2}, ""},
		{"findings, as Pulumi hands them back", several{errors.Join(nil, &Error{Count: 2})}, ""},
		{"a resource that was stopped", stopped, ""},
		{"an error of the program", several{other}, "no configuration"},
		{"one beside findings", several{errors.Join(other, &Error{Count: 1})}, "no configuration"},
		{
			"one beside a resource that was stopped", errors.Join(stopped, fmt.Errorf("waiting for RPCs: %w", other)),
			"waiting for RPCs: no configuration",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := news(tt.err); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("news is %q, want %q", got, tt.want)
			}
		})
	}
}
