package stackprogram

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// New returns a program for [guard.Run]: it creates the cluster that the configuration of its
// stack describes, and deploys RuntimeClasses and workloads into it.
func New(
	program stackconfig.Program, newCluster func(*pulumi.Context, stackconfig.Config) (Cluster, error),
) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		c, err := readConfig(ctx, program)
		if err != nil {
			return err
		}
		cluster, err := newCluster(ctx, c)
		if err != nil {
			return err
		}
		cluster.Topology = cluster.Topology.With(c.Installed...)
		return deploy(ctx, c, cluster)
	}
}

func deploy(ctx *pulumi.Context, c stackconfig.Config, cluster Cluster) error {
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
		return err
	}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster.Topology},
		cluster.Options...)
	if err != nil {
		return err
	}
	in := target{Cluster: cluster, classes: classes, checks: c.Checks}
	var deployed []string
	for _, w := range c.Workloads {
		names, err := workloads[w](ctx, string(w), in)
		if err != nil {
			return err
		}
		deployed = append(deployed, names...)
	}
	ctx.Export("workloads", pulumi.ToStringArray(deployed))
	return nil
}

// workloads are the functions that deploy the workloads of a configuration. Each returns the names of its Deployments.
var workloads = map[stackconfig.Workload]func(ctx *pulumi.Context, name string, in target) ([]string, error){
	stackconfig.IIS:          deployIIS,
	stackconfig.LinuxWeb:     deployLinuxWeb,
	stackconfig.Connectivity: deployConnectivity,
}
