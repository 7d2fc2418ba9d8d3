package bootstrap

import (
	"fmt"
	"os"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/keeper"
)

// TestMain makes sure that the programs of nodes end with the tests.
func TestMain(m *testing.M) {
	if _, err := keeper.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
