// Package loopback gives tests ports for the programs that they start.
package loopback

import (
	"strconv"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/ports"
)

// Port returns an unused port of 127.0.0.1. No other test gets it before this one ends.
func Port(t *testing.T) string {
	t.Helper()
	return strconv.Itoa(reserve(t))
}

// Address returns 127.0.0.1 with such a port.
func Address(t *testing.T) string {
	t.Helper()
	return ports.Address(reserve(t))
}

func reserve(t *testing.T) int {
	t.Helper()
	r, err := ports.Reserve(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Release)
	return r.Ports[0]
}
