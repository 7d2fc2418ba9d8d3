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

// existing runs IIS on Windows nodes of its own, in a cluster that somebody else has.
func existing(ctx *pulumi.Context) error {
	cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: "shop-group"})
	if err != nil {
		return err
	}
	pool, err := cluster.NewNodePool(ctx, "win22", &aks.PoolArgs{Pool: topology.Pool{
		Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
	}})
	if err != nil {
		return err
	}
	return iis(ctx, cluster, pool)
}

// joined has a pool of that cluster in the place of its own, which somebody has made by hand.
func joined(ctx *pulumi.Context) error {
	cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: "shop-group"})
	if err != nil {
		return err
	}
	pool, err := cluster.NewNodePool(ctx, "win", &aks.PoolArgs{
		Pool: topology.Pool{Name: "win", Platform: platform.WindowsServer2022, Count: 2},
		PoolOptions: aks.PoolOptions{
			NameInAzure: "win",
			ImportID:    pulumi.String(config.Require(ctx, "clusterID") + "/agentPools/win"),
		},
	}, pulumi.RetainOnDelete(true)) // `pulumi destroy` gives it back
	if err != nil {
		return err
	}
	return iis(ctx, cluster, pool)
}

// iis runs it on Windows nodes of the cluster.
func iis(ctx *pulumi.Context, cluster *aks.ExistingCluster, pool *aks.NodePool) error {
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology(), Place: true}); err != nil {
		return err
	}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	_, err := corev1.NewPod(ctx, "iis", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
		Containers: corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("iis"), Image: image}},
	}}, pulumi.Provider(cluster.Provider), pulumi.DependsOn([]pulumi.Resource{pool.AgentPool}))
	return err
}
