// Command aks-quickstart creates a mixed cluster on AKS, and runs IIS on its Windows nodes.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: config.New(ctx, "").RequireSecret("windowsPassword")},
	})
	if err != nil {
		return err
	}
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology, Place: true}); err != nil {
		return err
	}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	_, err = corev1.NewPod(ctx, "iis", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
		Containers: corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("iis"), Image: image}},
	}}, pulumi.Provider(cluster.Provider))
	return err
}
