package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// plain makes a cluster with two pools inline, and one that is a resource of its own, without this
// library.
func plain(ctx *pulumi.Context) error {
	group, err := resources.NewResourceGroup(ctx, "group", &resources.ResourceGroupArgs{
		ResourceGroupName: pulumi.String("shop-group"),
	})
	if err != nil {
		return err
	}
	cluster, err := containerservice.NewManagedCluster(ctx, "shop", &containerservice.ManagedClusterArgs{
		ResourceGroupName: group.Name,
		ResourceName:      pulumi.String("shop"),
		DnsPrefix:         pulumi.String("shop-dns"),
		KubernetesVersion: pulumi.String("1.35"),
		Identity: containerservice.ManagedClusterIdentityArgs{
			Type: containerservice.ResourceIdentityTypeSystemAssigned,
		},
		NetworkProfile: containerservice.ContainerServiceNetworkProfileArgs{
			NetworkPlugin:     pulumi.String("azure"),
			NetworkPluginMode: pulumi.String("overlay"),
			NetworkPolicy:     pulumi.String("calico"),
			PodCidr:           pulumi.String("10.100.0.0/16"),
		},
		WindowsProfile: containerservice.ManagedClusterWindowsProfileArgs{
			AdminUsername: pulumi.String("shopadmin"),
			AdminPassword: config.RequireSecret(ctx, "windowsPassword").ToStringPtrOutput(),
		},
		AgentPoolProfiles: containerservice.ManagedClusterAgentPoolProfileArray{
			containerservice.ManagedClusterAgentPoolProfileArgs{
				Name: pulumi.String("nodepool1"), Mode: pulumi.String("System"), Count: pulumi.Int(2),
				VmSize: pulumi.String("Standard_D4s_v5"), MaxPods: pulumi.Int(100),
			},
			containerservice.ManagedClusterAgentPoolProfileArgs{
				Name: pulumi.String("win"), OsType: pulumi.String("Windows"), OsSKU: pulumi.String("Windows2022"),
				Mode: pulumi.String("User"), Count: pulumi.Int(1), VmSize: pulumi.String("Standard_D4s_v5"),
			},
		},
	})
	if err != nil {
		return err
	}
	_, err = containerservice.NewAgentPool(ctx, "batch", &containerservice.AgentPoolArgs{
		ResourceGroupName: group.Name,
		ResourceName:      cluster.Name,
		AgentPoolName:     pulumi.String("batch"),
		OsType:            pulumi.String("Windows"),
		Mode:              pulumi.String("User"),
		Count:             pulumi.Int(1),
		VmSize:            pulumi.String("Standard_D4s_v5"),
		NodeLabels:        pulumi.StringMap{"team": pulumi.String("batch")},
	})
	return err
}
