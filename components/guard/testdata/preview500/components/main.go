// Command components makes Deployments with the component, under the guard.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/testdata/preview500/shop"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/components/workload"
)

var cluster = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
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
