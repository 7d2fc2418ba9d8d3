package main

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	exampletest.Preview(t, program)
}

func TestTheNodeIsExported(t *testing.T) {
	t.Parallel()
	exampletest.Update(t, program, mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		if r.Type != "kubernetes:core/v1:Pod" {
			return nil
		}
		return resource.NewPropertyMapFromMap(map[string]any{"spec": map[string]any{"nodeName": "win22-0"}})
	}))
}
