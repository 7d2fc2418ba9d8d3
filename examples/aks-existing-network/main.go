// Command aks-existing-network creates a private mixed cluster on AKS in an existing network.
package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	services := containerservice.ContainerServiceNetworkProfileArgs{
		ServiceCidr: pulumi.String("172.16.0.0/16"), DnsServiceIP: pulumi.String("172.16.0.10"),
	}
	win22 := topology.Pool{
		Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5",
		DisableOutboundNAT: true,
	}
	win22.Autoscaling = topology.Autoscaling{Min: 1, Max: 5}
	sys := topology.Pool{
		Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3,
		Size: "Standard_D4s_v5",
	}
	_, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.35",
		Pools:             []topology.Pool{sys, win22},
		Network: aks.Network{
			Mode: aks.PodSubnet, Policy: aks.Calico, OutboundType: aks.UserAssignedNATGateway,
			NodeSubnetID: pulumi.String(cfg.Require("nodeSubnetID")),
			PodSubnetID:  pulumi.String(cfg.Require("podSubnetID")),
		},
		// a Network Contributor of the network
		Identity:     aks.Identity{UserAssignedID: pulumi.String(cfg.Require("identityID"))},
		APIServer:    aks.APIServer{Private: true},
		WindowsAdmin: aks.WindowsAdmin{Password: cfg.RequireSecret("windowsPassword")},
		Options:      &containerservice.ManagedClusterArgs{NetworkProfile: services},
	})
	return err
}
