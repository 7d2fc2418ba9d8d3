// Command azure has pools in AKS. The stack clusters has a cluster whose pools have generated names, and one whose
// pools keep their names. The stack joining has pools in the second one.
package main

import (
	"maps"

	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

const (
	size  = "Standard_D4s_v5"
	group = "recorded"
	// named is the cluster whose pools keep their names.
	named = "named"
)

func main() {
	guard.Run(func(ctx *pulumi.Context) error {
		if ctx.Stack() == "joining" {
			return joining(ctx)
		}
		return clusters(ctx)
	})
}

func clusters(ctx *pulumi.Context) error {
	if err := cluster(ctx, "generated", "", nil, nil); err != nil {
		return err
	}
	made, err := resources.NewResourceGroup(ctx, "group", &resources.ResourceGroupArgs{
		ResourceGroupName: pulumi.String(group),
	})
	if err != nil {
		return err
	}
	options := map[string]aks.PoolOptions{}
	// The pools exist before the program names them.
	if config.GetBool(ctx, "named") {
		maps.Copy(options, map[string]aks.PoolOptions{
			"ksys": {NameInAzure: "ksysvhv"}, "kapps": {NameInAzure: "kappsvhv"}, "kwin": {NameInAzure: "kwind2"},
			"knew": {NameInAzure: "knewhz"},
		})
	}
	return cluster(ctx, named, "k", made.Name, options)
}

// cluster creates a cluster. The lab has one cluster for all of them, so the names of the pools differ by a prefix.
func cluster(
	ctx *pulumi.Context, name, prefix string, group pulumi.StringInput, options map[string]aks.PoolOptions,
) error {
	_, err := aks.NewCluster(ctx, name, &aks.ClusterArgs{
		ResourceGroupName: group,
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: prefix + "sys", Platform: platform.Linux, Mode: topology.System, Size: size},
			{
				Name: prefix + "apps", Platform: platform.Linux, Size: size, Labels: map[string]string{"team": "blue"},
				Autoscaling: topology.Autoscaling{Min: 1, Max: 3}, Upgrade: topology.Upgrade{MaxSurge: "1"},
			},
			{Name: prefix + "win", Platform: platform.WindowsServer2022, Size: size},
			{
				Name: prefix + "new", Platform: platform.WindowsServer2025, Size: size, FIPS: true, Count: 2,
				Upgrade: topology.Upgrade{MaxSurge: "50%", DrainTimeoutMinutes: 10, NodeSoakMinutes: 1},
			},
		},
		PoolOptions:  options,
		WindowsAdmin: aks.WindowsAdmin{Password: config.RequireSecret(ctx, "windowsPassword")},
		AzureCLI:     true,
	})
	return err
}

func joining(ctx *pulumi.Context) error {
	cluster, err := aks.Existing(ctx, named, &aks.ExistingArgs{ResourceGroupName: group})
	if err != nil {
		return err
	}
	for _, pool := range []aks.PoolArgs{
		{Pool: topology.Pool{Name: "tools", Platform: platform.Linux, Size: size}},
		{
			Pool:        topology.Pool{Name: "web", Platform: platform.WindowsServer2022, Size: size},
			PoolOptions: aks.PoolOptions{NameInAzure: "web"},
		},
	} {
		if _, err := cluster.NewNodePool(ctx, pool.Pool.Name, &pool); err != nil {
			return err
		}
	}
	return nil
}
