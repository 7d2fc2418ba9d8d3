package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// imported takes over a cluster that no program of Pulumi's has made.
func imported(ctx *pulumi.Context) error {
	id := config.Require(ctx, "clusterID")
	_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "win", Platform: platform.WindowsServer2022},
		},
		PoolOptions: map[string]aks.PoolOptions{
			// stays inline
			"sys": {NameInAzure: "nodepool1"},
			"win": {NameInAzure: "win", ImportID: pulumi.String(id + "/agentPools/win")},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: config.RequireSecret(ctx, "windowsPassword")},
	}, pulumi.Import(pulumi.ID(id)))
	return err
}

// settled is imported without its imports.
func settled(ctx *pulumi.Context) error {
	_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "win", Platform: platform.WindowsServer2022},
		},
		PoolOptions: map[string]aks.PoolOptions{
			"sys": {NameInAzure: "nodepool1"},
			"win": {NameInAzure: "win"},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: config.RequireSecret(ctx, "windowsPassword")},
	})
	return err
}
