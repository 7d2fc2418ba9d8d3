package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// adopted takes over what plain has made.
func adopted(ctx *pulumi.Context) error {
	group, err := resources.NewResourceGroup(ctx, "group", &resources.ResourceGroupArgs{
		ResourceGroupName: pulumi.String("shop-group"),
	})
	if err != nil {
		return err
	}
	_, err = aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		ResourceGroupName: group.Name,
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "win", Platform: platform.WindowsServer2022},
			{Name: "batch", Platform: platform.WindowsServer2022},
		},
		PoolOptions: map[string]aks.PoolOptions{
			// stays inline
			"sys": {NameInAzure: "nodepool1"},
			// was inline, and becomes a resource of its own
			"win": {NameInAzure: "win", ImportID: pulumi.String(config.Require(ctx, "clusterID") + "/agentPools/win")},
			// is one already, with the name batch in the state
			"batch": {NameInAzure: "batch"},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: config.RequireSecret(ctx, "windowsPassword")},
	}, pulumi.Aliases([]pulumi.Alias{
		{Type: pulumi.String("azure-native:containerservice:ManagedCluster"), Name: pulumi.String("shop")},
		{Type: pulumi.String("azure-native:containerservice:AgentPool"), Name: pulumi.String("batch")},
	}))
	return err
}

// changed has more nodes in win, a new pool in the place of batch, and one beside them.
func changed(ctx *pulumi.Context) error {
	group, err := resources.NewResourceGroup(ctx, "group", &resources.ResourceGroupArgs{
		ResourceGroupName: pulumi.String("shop-group"),
	})
	if err != nil {
		return err
	}
	_, err = aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		ResourceGroupName: group.Name,
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System},
			{Name: "win", Platform: platform.WindowsServer2022, Count: 2},
			{Name: "batch", Platform: platform.WindowsServer2022, Size: "Standard_D8s_v5"},
			{Name: "web", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"},
		},
		PoolOptions: map[string]aks.PoolOptions{
			"sys": {NameInAzure: "nodepool1"},
			"win": {NameInAzure: "win"},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: config.RequireSecret(ctx, "windowsPassword")},
	})
	return err
}
