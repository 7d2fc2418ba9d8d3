package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	password := mocktest.Config(map[string]string{"windowsPassword": "Correct-Horse-Battery-9"})
	exampletest.PreviewWithCluster(t, program, password, akstest.Azure())
}
