package e2e

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// scratch is a folder for what tests share.
var scratch string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	// The clients of the simulated Azure ask again soon: it is never busy for long.
	if err := os.Setenv(armclient.RetryDelayVariable, "20ms"); err != nil {
		return 0, err
	}
	// Operations on clusters overlap all the same.
	if err := os.Setenv(armclient.OperationVariable, "50ms"); err != nil {
		return 0, err
	}
	// What tests start collects its garbage less often: processors are short here, not memory.
	if err := os.Setenv("GOGC", "400"); err != nil {
		return 0, err
	}
	if scratch, err = os.MkdirTemp("", "mixedkube-e2e"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	code = m.Run()
	return code, endIdle()
}
