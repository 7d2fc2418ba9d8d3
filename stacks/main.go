// Command stacks is the program of the Pulumi.yaml in the root of this repository. It
// deploys RuntimeClasses and workloads into a cluster: the existing cluster of the default
// kubeconfig, or a cluster that it creates on AKS. The stack's configuration lists the pools
// of the cluster and the workloads to deploy (see package stackconfig). The program in the
// directory kubeadm creates clusters on virtual machines.
package main

import (
	"cmp"
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/stacks/stackprogram"
)

func main() { guard.Run(program()) }

func program() pulumi.RunFunc { return stackprogram.New(stackconfig.Main, newCluster) }

// newCluster creates a cluster on AKS if the configuration has a section for it. Otherwise it
// returns the cluster of the default kubeconfig.
func newCluster(ctx *pulumi.Context, c stackconfig.Config) (stackprogram.Cluster, error) {
	if c.AKS == nil {
		return stackprogram.Cluster{Topology: c.Topology}, nil
	}
	cluster, err := aks.NewCluster(ctx, cmp.Or(c.AKS.ClusterName, ctx.Stack()), &aks.ClusterArgs{
		ResourceGroupName: stackprogram.Input(c.AKS.ResourceGroupName),
		Location:          stackprogram.Input(c.AKS.Location),
		KubernetesVersion: c.Topology.KubernetesVersion,
		Pools:             c.Topology.Pools,
		Network: aks.Network{
			Mode:         c.AKS.Network.Mode,
			Policy:       c.AKS.Network.Policy,
			OutboundType: c.AKS.Network.OutboundType,
			NodeSubnetID: stackprogram.Input(c.AKS.Network.NodeSubnetID),
			PodSubnetID:  stackprogram.Input(c.AKS.Network.PodSubnetID),
		},
		WindowsAdmin: aks.WindowsAdmin{
			Username:    c.AKS.WindowsAdmin.Username,
			LicenseType: c.AKS.WindowsAdmin.LicenseType,
			GMSA:        c.AKS.WindowsAdmin.GMSA,
			// Plain, so that it is checked with the rest; the component turns it into a secret.
			Password: stackprogram.Input(config.Get(ctx, stackconfig.KeyWindowsPassword)),
		},
		APIServer:   aks.APIServer{DisableLocalAccounts: c.AKS.EntraID != nil && c.AKS.EntraID.DisableLocalAccounts},
		Login:       login(c.AKS.Login),
		Options:     options(c.AKS.EntraID),
		AzureCLI:    c.AKS.AzureCLI,
		Unprotected: c.AKS.Unprotected,
		Retry:       aks.Retry{Backoff: time.Duration(c.AKS.RetryBackoffSeconds * float64(time.Second))},
	})
	if err != nil {
		return stackprogram.Cluster{}, err
	}
	ctx.Export("cluster", cluster.ID)
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	return stackprogram.Cluster{
		Topology: cluster.Topology,
		Options:  []pulumi.ResourceOption{pulumi.Provider(cluster.Provider)},
	}, nil
}

// login returns how the provider signs in, from the configuration.
func login(l plan.Login) aks.Login {
	return aks.Login{
		Mode:                l.Mode,
		ClientID:            stackprogram.Input(l.ClientID),
		TenantID:            stackprogram.Input(l.TenantID),
		IdentityResourceID:  stackprogram.Input(l.IdentityResourceID),
		ServiceConnectionID: stackprogram.Input(l.ServiceConnectionID),
		UseAzureRMEnvVars:   l.UseAzureRMEnvVars,
	}
}

// options returns the options of a cluster with Microsoft Entra ID; nil without it.
func options(e *stackconfig.EntraID) *containerservice.ManagedClusterArgs {
	if e == nil {
		return nil
	}
	return &containerservice.ManagedClusterArgs{AadProfile: containerservice.ManagedClusterAADProfileArgs{
		Managed:             pulumi.Bool(true),
		EnableAzureRBAC:     pulumi.Bool(e.AzureRBAC),
		AdminGroupObjectIDs: pulumi.ToStringArray(e.AdminGroupObjectIDs),
	}}
}
