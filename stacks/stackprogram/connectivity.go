package stackprogram

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
)

// deployConnectivity checks the cluster's network between all of its platforms.
func deployConnectivity(ctx *pulumi.Context, name string, in target) ([]string, error) {
	args := &connectivity.SuiteArgs{
		Topology: in.Topology, Run: in.checks.Run, OutboundURL: in.checks.OutboundURL,
		RemotePodsFromWindowsNodes: in.checks.RemotePodsFromWindowsNodes,
	}
	for _, check := range in.checks.Skip {
		args.Skip = append(args.Skip, connectivity.Check(check))
	}
	suite, err := connectivity.NewSuite(ctx, name, args, in.Options...)
	if err != nil {
		return nil, err
	}
	ctx.Export("connectivity", suite.Table)
	return []string{name}, nil
}
