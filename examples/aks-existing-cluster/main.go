// Command aks-existing-cluster adds a Windows pool to an existing AKS cluster, and runs IIS on it.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	group := config.Require(ctx, "resourceGroup")
	cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: group})
	if err != nil {
		return err
	}
	// The pool takes the other settings from the cluster: version, network and tags.
	pool, err := cluster.NewNodePool(ctx, "win22", &aks.PoolArgs{Pool: topology.Pool{
		Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5",
	}})
	if err != nil {
		return err
	}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	_, err = workload.NewPod(ctx, "iis", &workload.PodArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Topology: cluster.Topology(), // with the new pool
		Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name: pulumi.String("iis"), Image: image,
		}}},
	}, pulumi.Provider(cluster.Provider), pulumi.DependsOn([]pulumi.Resource{pool.AgentPool}))
	return err
}
