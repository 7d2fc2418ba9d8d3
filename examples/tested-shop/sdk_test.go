package main

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
)

// mocks returns the inputs of each resource as its outputs.
type mocks struct{}

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name + "-id", args.Inputs, nil
}

func (mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return args.Args, nil }

func TestWithTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	var found guard.Report
	err := pulumi.RunErr(guard.Program(program, guard.ReportTo(&found)),
		pulumi.WithMocks("tested-shop", "dev", mocks{}))
	if err != nil {
		t.Fatal(err)
	}
	if len(found.NotChecked) > 0 {
		t.Errorf("the guard has not seen %v", found.NotChecked)
	}
}
