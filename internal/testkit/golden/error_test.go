package golden_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// printed prints the failures of a test.
type printed struct{ testing.TB }

func (printed) Helper() {}

func (printed) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A program that registers a resource before it fails leaves half a stack.
func ExampleRefused() {
	err := errors.New("name: Required value")
	golden.Refused(printed{}, []string{"shop"}, err, "name: Required value")
	golden.Refused(printed{}, []string(nil), err, "name: Required value")
	// Output:
	// registered [shop], want nothing
}
