package aks_test

import (
	"fmt"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A preview shows the cluster and its pools, and the taints with which the nodes register.
func ExampleNewCluster() {
	program := func(ctx *pulumi.Context) error {
		cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
				{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
		})
		if err != nil {
			return err
		}
		for _, pool := range cluster.Topology.Pools {
			for _, taint := range pool.Taints {
				fmt.Println(pool.Name, "has the taint", topology.FormatTaint(taint))
			}
		}
		return nil
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
	for _, r := range graph.ByType("azure-native:containerservice:AgentPool") {
		fmt.Println(r, r.Plain()["osSKU"])
	}
	fmt.Println(err)
	// Output:
	// win22 has the taint os=windows:NoSchedule
	// azure-native:containerservice:AgentPool "shop-win22d" Windows2022
	// <nil>
}

// The provider and the kubeconfig sign in as a service principal with the secret in Azure's environment variables.
func ExampleLogin() {
	program := func(ctx *pulumi.Context) error {
		cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
			Login:        aks.Login{Mode: aks.LoginServicePrincipal, UseAzureRMEnvVars: true},
			APIServer:    aks.APIServer{DisableLocalAccounts: true},
			Options: &containerservice.ManagedClusterArgs{
				AadProfile: containerservice.ManagedClusterAADProfileArgs{
					Managed: pulumi.Bool(true), EnableAzureRBAC: pulumi.Bool(true),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("id", cluster.ID)
		return nil
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
	for _, r := range graph.ByType("azure-native:containerservice:ManagedCluster") {
		fmt.Println(r, r.Plain()["disableLocalAccounts"])
	}
	fmt.Println(err)
	// Output:
	// azure-native:containerservice:ManagedCluster "shop-cluster" true
	// <nil>
}

// A preview reports all errors at once. Azure would refuse the cluster only after ten minutes.
func ExampleNewCluster_errors() {
	program := func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_B4ms"},
				{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 1200},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String("2short4Azure!")},
		})
		return err
	}
	_, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
	fmt.Println(err)
	// Output:
	// mixedkube:aks:Cluster "shop":
	//   pools[0].size: "Standard_B4ms": Azure refuses B-series sizes for system pools: use another series, for example Standard_D4s_v5 (MK706)
	//   pools[1].count: 1200: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for more (MK732)
	//   windowsAdmin.password: [secret]: must have 14 to 123 characters: use another (MK754)
}

// A pool in an existing cluster.
func ExampleNewNodePool() {
	program := func(ctx *pulumi.Context) error {
		pool, err := aks.NewNodePool(ctx, "more", &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("shop-group"),
			ClusterName:       pulumi.String("shop"),
			KubernetesVersion: "1.35",
			Pool:              topology.Pool{Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D4s_v5", FIPS: true},
		})
		if err != nil {
			return err
		}
		for _, taint := range pool.Pool.Taints {
			fmt.Println(topology.FormatTaint(taint))
		}
		return nil
	}
	graph, err := mocktest.Run(program, akstest.Azure())
	fmt.Println(graph.ByType("azure-native:containerservice:AgentPool"), err)
	// Output:
	// os=windows:NoSchedule
	// [azure-native:containerservice:AgentPool "more-win25h"] <nil>
}

// A pool changes its size in place.
func ExamplePoolOptions() {
	_ = &aks.ClusterArgs{
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D8s_v5"},
		},
		PoolOptions: map[string]aks.PoolOptions{"win22": {
			NameInAzure: "win22d", Change: aks.InPlace, Previews: []aks.Preview{aks.VMSSResize},
		}},
		AzureCLI: true,
	}
}

// Options are for all other settings of azure-native, for example the tier, automatic upgrades and monitoring.
func ExampleClusterArgs_production() {
	program := func(ctx *pulumi.Context) error {
		workspaceID := pulumi.String(
			"/subscriptions/s/resourceGroups/logs/providers/Microsoft.OperationalInsights/workspaces/shop")
		_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
			Options: &containerservice.ManagedClusterArgs{
				Sku: containerservice.ManagedClusterSKUArgs{
					Name: pulumi.String("Base"), Tier: pulumi.String("Standard"),
				},
				AutoUpgradeProfile: containerservice.ManagedClusterAutoUpgradeProfileArgs{
					UpgradeChannel:       pulumi.String("patch"),
					NodeOSUpgradeChannel: pulumi.String("NodeImage"),
				},
				AddonProfiles: containerservice.ManagedClusterAddonProfileMap{
					"omsagent": containerservice.ManagedClusterAddonProfileArgs{
						Enabled: pulumi.Bool(true),
						Config: pulumi.StringMap{
							"logAnalyticsWorkspaceResourceID": workspaceID,
							"useAADAuth":                      pulumi.String("true"),
						},
					},
				},
				AzureMonitorProfile: containerservice.ManagedClusterAzureMonitorProfileArgs{
					Metrics: containerservice.ManagedClusterAzureMonitorProfileMetricsArgs{Enabled: pulumi.Bool(true)},
				},
			},
		})
		return err
	}
	graph, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
	for _, r := range graph.ByType("azure-native:containerservice:ManagedCluster") {
		fmt.Println(r.Plain()["sku"], r.Plain()["autoUpgradeProfile"], r.Plain()["azureMonitorProfile"])
	}
	fmt.Println(err)
	// Output:
	// map[name:Base tier:Standard] map[nodeOSUpgradeChannel:NodeImage upgradeChannel:patch] map[metrics:map[enabled:true]]
	// <nil>
}
