package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestUnderTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	exampletest.Mocked{
		Program: program, Config: map[string]string{"windows": "testdata/antrea-windows.yml"},
	}.Run(t)
}
