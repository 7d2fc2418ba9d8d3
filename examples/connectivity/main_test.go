package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	exampletest.Preview(t, program)
}

func TestTheTableIsExported(t *testing.T) {
	t.Parallel()
	exampletest.Update(t, program)
}
