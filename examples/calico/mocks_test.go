package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestUnderTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	exampletest.Mocked{Program: program}.Run(t)
}
