package e2e

import (
	"os"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/armclient"
)

// TestMain lets the clients of the simulated Azure ask again soon: it is never busy for
// long.
func TestMain(m *testing.M) {
	if err := os.Setenv(armclient.RetryDelayVariable, "20ms"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
