// Command moving-aks has a cluster on AKS in three ways, of which one follows the other in one
// stack: as resources of azure-native, as the component of this library, and as resources again.
// Nothing is replaced on the way. docs/moving.md explains it.
package main

import (
	"fmt"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		password := config.New(ctx, "").RequireSecret("windowsPassword")
		switch way := config.Require(ctx, "moving-aks:way"); way {
		case "plain":
			return plain(ctx, password)
		case "in":
			return in(ctx, password)
		case "out":
			// What the component has called its resources, below itself.
			was := func(name string) pulumi.ResourceOption {
				component := pulumi.CreateURN(pulumi.String("shop"), pulumi.String("mixedkube:aks:Cluster"), nil,
					pulumi.String(ctx.Project()), pulumi.String(ctx.Stack()))
				return pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(name), ParentURN: component}})
			}
			return plain(ctx, password, was("shop-rg"), was("shop-cluster"), was("shop-win22d"))
		default:
			return fmt.Errorf("there is no way %q: choose plain, in or out", way)
		}
	})
}

// plain is what there is at first. The options are those of the group, the cluster and the pool.
func plain(ctx *pulumi.Context, password pulumi.StringInput, opts ...pulumi.ResourceOption) error {
	opts = append(opts, nil, nil, nil)
	group, err := resources.NewResourceGroup(ctx, "group", &resources.ResourceGroupArgs{}, opts[0])
	if err != nil {
		return err
	}
	cluster, err := containerservice.NewManagedCluster(ctx, "shop", &containerservice.ManagedClusterArgs{
		ResourceGroupName: group.Name,
		ResourceName:      pulumi.String("shop"),
		KubernetesVersion: pulumi.String("1.35"),
		DnsPrefix:         pulumi.String("shop"),
		// The pool that is inline, for the component.
		Tags: pulumi.StringMap{"mixedkube-first-pool": pulumi.String("sysvhv")},
		Identity: containerservice.ManagedClusterIdentityArgs{
			Type: containerservice.ResourceIdentityTypeSystemAssigned,
		},
		AgentPoolProfiles: containerservice.ManagedClusterAgentPoolProfileArray{
			containerservice.ManagedClusterAgentPoolProfileArgs{
				Name: pulumi.String("sysvhv"), Mode: pulumi.String("System"),
				Type:   pulumi.String("VirtualMachineScaleSets"),
				OsType: pulumi.String("Linux"), VmSize: pulumi.String("Standard_D4s_v5"), Count: pulumi.Int(1),
			},
		},
		NetworkProfile: containerservice.ContainerServiceNetworkProfileArgs{
			NetworkPlugin: pulumi.String("azure"), NetworkPluginMode: pulumi.String("overlay"),
			OutboundType: pulumi.String("loadBalancer"), LoadBalancerSku: pulumi.String("standard"),
		},
		WindowsProfile: containerservice.ManagedClusterWindowsProfileArgs{
			AdminUsername: pulumi.String("azureuser"), AdminPassword: password.ToStringOutput().ToStringPtrOutput(),
		},
	}, opts[1])
	if err != nil {
		return err
	}
	_, err = containerservice.NewAgentPool(ctx, "win22", &containerservice.AgentPoolArgs{
		ResourceGroupName: group.Name,
		ResourceName:      cluster.Name,
		AgentPoolName:     pulumi.String("win22d"),
		Mode:              pulumi.String("User"),
		Type:              pulumi.String("VirtualMachineScaleSets"),
		OsType:            pulumi.String("Windows"),
		OsSKU:             pulumi.String("Windows2022"),
		VmSize:            pulumi.String("Standard_D4s_v5"),
		Count:             pulumi.Int(1),
		EnableFIPS:        pulumi.Bool(false), // one that does not say it is replaced by one that does
		NodeTaints:        pulumi.ToStringArray([]string{"os=windows:NoSchedule"}),
	}, opts[2])
	return err
}

// in is the same as a component.
func in(ctx *pulumi.Context, password pulumi.StringInput) error {
	_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 1, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5"},
		},
		WindowsAdmin: aks.WindowsAdmin{Username: "azureuser", Password: password},
		Unprotected:  true, // it moves out again
	}, pulumi.Aliases([]pulumi.Alias{
		{Type: pulumi.String("azure-native:containerservice:ManagedCluster")},
		{Type: pulumi.String("azure-native:resources:ResourceGroup"), Name: pulumi.String("group")},
		{Type: pulumi.String("azure-native:containerservice:AgentPool"), Name: pulumi.String("win22")},
	}))
	return err
}
