package componenttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// Refused compares the whole error of a program that must fail before it registers anything.
func Refused(tb testing.TB, graph *mocktest.Graph, err error, want string) {
	tb.Helper()
	DiffError(tb, err, want)
	if registered := graph.Resources(); len(registered) != 0 {
		tb.Errorf("registered %v, want nothing", registered)
	}
}

// DiffError compares the whole error of a program that must fail.
func DiffError(tb testing.TB, err error, want string) {
	tb.Helper()
	if err == nil {
		tb.Fatalf("no error, want:\n%s", want)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		tb.Errorf("the error (-want +got):\n%s", diff)
	}
}
