package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	config := map[string]string{"chart": "./testdata/antrea", "windows": "testdata/antrea-windows.yml"}
	exampletest.Preview(t, program, mocktest.Config(config))
}
