// Command aks-registry creates a mixed cluster on AKS whose nodes pull images from a private registry.
package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/authorization/v3"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

// acrPull is the built-in role AcrPull
// (https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/containers#acrpull).
const acrPull = "/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d"

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
		},
		WindowsAdmin: aks.WindowsAdmin{Password: cfg.RequireSecret("windowsPassword")},
	})
	if err != nil {
		return err
	}
	pull, err := authorization.NewRoleAssignment(ctx, "pull", &authorization.RoleAssignmentArgs{
		PrincipalId:      cluster.KubeletIdentity.ObjectID,
		PrincipalType:    pulumi.String(authorization.PrincipalTypeServicePrincipal),
		RoleDefinitionId: pulumi.String(acrPull),
		Scope:            pulumi.String(cfg.Require("registryID")),
	})
	if err != nil {
		return err
	}
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology, Place: true}); err != nil {
		return err
	}
	image := pulumi.String(cfg.Require("image"))
	_, err = corev1.NewPod(ctx, "web", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
		Containers: corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("web"), Image: image}},
	}}, pulumi.Provider(cluster.Provider), pulumi.DependsOn([]pulumi.Resource{pull}))
	return err
}
