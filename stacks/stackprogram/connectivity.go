package stackprogram

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
)

// deployConnectivity checks the cluster's network between all of its platforms.
func deployConnectivity(ctx *pulumi.Context, name string, cluster target) error {
	args := &connectivity.SuiteArgs{
		Topology: cluster.Topology, Run: cluster.checks.Run, OutboundURL: cluster.checks.OutboundURL,
		RemotePodsFromWindowsNodes: cluster.checks.RemotePodsFromWindowsNodes,
	}
	for _, check := range cluster.checks.Skip {
		args.Skip = append(args.Skip, connectivity.Check(check))
	}
	suite, err := connectivity.NewSuite(ctx, name, args, cluster.Options...)
	if err != nil {
		return err
	}
	ctx.Export("connectivity", suite.Table)
	return nil
}
