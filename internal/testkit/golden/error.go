package golden

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Error compares the whole error of something that must fail, with any sentence where want leaves out one: see
// [AnySentence].
func Error(tb testing.TB, err error, want string) {
	tb.Helper()
	if err == nil {
		tb.Fatalf("no error, want:\n%s", want)
	}
	if diff := cmp.Diff(want, err.Error(), AnySentence); diff != "" {
		tb.Errorf("the error (-want +got):\n%s", diff)
	}
}

// Refused compares the error of a program that must fail before it registers anything, as [Error] does.
func Refused[Resource any](tb testing.TB, registered []Resource, err error, want string) {
	tb.Helper()
	Error(tb, err, want)
	if len(registered) != 0 {
		tb.Errorf("registered %v, want nothing", registered)
	}
}
