// Command remote registers Deployments with the component: in its own process, or through the plugin if the
// configuration value "plugin" is true.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard/testdata/preview500/shop"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Count: 2},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}
	register := inProcess
	if config.New(ctx, "").GetBool("plugin") {
		register = remotely
	}
	for _, name := range shop.Names(ctx) {
		if err := register(ctx, name, cluster); err != nil {
			return err
		}
	}
	return nil
}

func inProcess(ctx *pulumi.Context, name string, cluster topology.Topology) error {
	_, err := workload.NewDeployment(ctx, name, &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Topology: cluster, Scheduling: workload.BySelector,
		Metadata: shop.Metadata(name), Spec: shop.Spec(name, corev1.PodSpecArgs{}),
	})
	return err
}

func remotely(ctx *pulumi.Context, name string, cluster topology.Topology) error {
	made := &struct{ pulumi.ResourceState }{}
	return ctx.RegisterRemoteComponentResource("mixedkube:workload:Deployment", name, pulumi.Map{
		"platform":   pulumi.String(platform.WindowsServer2022),
		"topology":   pulumi.Any(topology.Encode(cluster)),
		"scheduling": pulumi.String(workload.BySelector),
		"metadata":   shop.Metadata(name),
		"spec":       shop.Spec(name, corev1.PodSpecArgs{}),
	}, made)
}
