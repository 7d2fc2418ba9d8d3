// Command components makes Deployments with the component, under the guard.
package main

import (
	"fmt"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/preview500/shop"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: pools(ctx)}
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
		return err
	}
	for _, name := range shop.Names(ctx) {
		if _, err := workload.NewDeployment(ctx, name, &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022, Topology: cluster, Scheduling: workload.BySelector,
			Metadata: shop.Metadata(name),
			Spec:     shop.Spec(name, corev1.PodSpecArgs{}),
		}); err != nil {
			return err
		}
	}
	return nil
}

// pools are as many as the configuration says with pools, two if it does not: one after
// the other of Linux and of each Windows Server.
func pools(ctx *pulumi.Context) []topology.Pool {
	platforms := []platform.Platform{
		platform.Linux, platform.WindowsServer2022, platform.WindowsServer2019,
		platform.WindowsServer2025,
	}
	count := config.New(ctx, "").GetInt("pools")
	if count == 0 {
		count = 2
	}
	pools := make([]topology.Pool, count)
	for i := range pools {
		pools[i] = topology.Pool{Name: fmt.Sprintf("pool%d", i), Platform: platforms[i%len(platforms)], Count: 2}
	}
	return pools
}
