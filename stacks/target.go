package main

import (
	"cmp"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
)

// target is the cluster that the workloads are deployed into.
type target struct {
	// topology is the cluster's, as its nodes register.
	topology topology.Topology
	// options are for every resource in it.
	options []pulumi.ResourceOption
	// windows are its Windows platforms, without the name of a workload.
	windows []windows
	// checks say how its network is checked.
	checks stackconfig.Checks
}

// newTarget is a cluster on AKS or on virtual machines if the configuration says how to
// make it, and else the one of the ordinary kubeconfig.
func newTarget(ctx *pulumi.Context, c stackconfig.Config) (target, error) {
	switch {
	case c.AKS != nil:
		return newOnAKS(ctx, c)
	case c.Kubeadm != nil:
		return newOnMachines(ctx, c)
	default:
		return target{topology: c.Topology}, nil
	}
}

func newOnAKS(ctx *pulumi.Context, c stackconfig.Config) (target, error) {
	cluster, err := aks.NewCluster(ctx, cmp.Or(c.AKS.ClusterName, ctx.Stack()), &aks.ClusterArgs{
		ResourceGroupName: given(c.AKS.ResourceGroupName),
		Location:          given(c.AKS.Location),
		KubernetesVersion: c.Topology.KubernetesVersion,
		Pools:             c.Topology.Pools,
		Network: aks.Network{
			Mode:         aks.NetworkMode(c.AKS.Network.Mode),
			Policy:       aks.NetworkPolicy(c.AKS.Network.Policy),
			OutboundType: aks.OutboundType(c.AKS.Network.OutboundType),
			NodeSubnetID: given(c.AKS.Network.NodeSubnetID),
			PodSubnetID:  given(c.AKS.Network.PodSubnetID),
		},
		WindowsAdmin: aks.WindowsAdmin{
			Username:    c.AKS.WindowsAdmin.Username,
			LicenseType: aks.LicenseType(c.AKS.WindowsAdmin.LicenseType),
			Password:    config.RequireSecret(ctx, stackconfig.KeyWindowsPassword),
		},
		AzureCLI:    c.AKS.AzureCLI,
		Unprotected: c.AKS.Unprotected,
	})
	if err != nil {
		return target{}, err
	}
	ctx.Export("cluster", cluster.ID)
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	return target{topology: cluster.Topology, options: []pulumi.ResourceOption{pulumi.Provider(cluster.Provider)}}, nil
}

// given is nil for what the configuration leaves out.
func given(s string) pulumi.StringInput {
	if s == "" {
		return nil
	}
	return pulumi.String(s)
}
