package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	exampletest.Preview(t, program, mocktest.Config(map[string]string{"chart": "./testdata/tigera-operator"}))
}
