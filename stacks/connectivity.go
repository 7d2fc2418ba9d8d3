package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
)

// deployConnectivity checks the cluster's network between all of its platforms.
func deployConnectivity(ctx *pulumi.Context, name string, cluster target) error {
	suite, err := connectivity.NewSuite(ctx, name, &connectivity.SuiteArgs{Topology: cluster.topology}, cluster.options...)
	if err != nil {
		return err
	}
	ctx.Export("connectivity", suite.Table)
	return nil
}
