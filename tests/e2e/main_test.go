package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	// The clients of the simulated Azure retry soon, because it is never busy for long.
	if err := os.Setenv(armclient.RetryDelayVariable, "20ms"); err != nil {
		return 0, err
	}
	// Operations on clusters take long enough to overlap.
	if err := os.Setenv(armclient.OperationVariable, "50ms"); err != nil {
		return 0, err
	}
	return m.Run(), nil
}
