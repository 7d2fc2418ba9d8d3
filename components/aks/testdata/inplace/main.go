// Command inplace has a cluster whose Windows pool changes its size and its release in place, as docs/aks.md explains,
// and pods on it with a budget.
package main

import (
	"time"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	policyv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/policy/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	c := config.New(ctx, "")
	release, image := platform.WindowsServer2022, "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
	if c.GetBool("newer") {
		release, image = platform.WindowsServer2025, "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025"
	}
	options := aks.PoolOptions{NameInAzure: c.Get("nameInAzure")}
	if c.GetBool("inPlace") {
		options.Change = aks.InPlace
		options.Previews = []aks.Preview{aks.VMSSResize, aks.WindowsOSUpgrade}
	}
	cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
			{
				Name: "win22", Platform: release, FIPS: release == platform.WindowsServer2025, Count: 2,
				Size: c.Require("size"), Upgrade: topology.Upgrade{
					DrainTimeoutMinutes: 5, NodeSoakMinutes: c.GetInt("soak"),
				},
			},
		},
		PoolOptions:  map[string]aks.PoolOptions{"win22": options},
		WindowsAdmin: aks.WindowsAdmin{Password: c.RequireSecret("windowsPassword")},
		Retry:        aks.Retry{Backoff: 200 * time.Millisecond},
		AzureCLI:     true,
		Unprotected:  true,
	})
	if err != nil {
		return err
	}
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology, Place: true}); err != nil {
		return err
	}
	return iis(ctx, image, c.RequireInt("maxUnavailable"), pulumi.Provider(cluster.Provider))
}

// iis is a Deployment with a budget.
func iis(ctx *pulumi.Context, image string, maxUnavailable int, provider pulumi.ResourceOption) error {
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	meta := metav1.ObjectMetaArgs{Name: pulumi.String("iis"), Namespace: pulumi.String("default")}
	selector := metav1.LabelSelectorArgs{MatchLabels: labels}
	_, err := policyv1.NewPodDisruptionBudget(ctx, "iis", &policyv1.PodDisruptionBudgetArgs{
		Metadata: meta,
		Spec: policyv1.PodDisruptionBudgetSpecArgs{
			MaxUnavailable: pulumi.Int(maxUnavailable), Selector: selector,
		},
	}, provider)
	if err != nil {
		return err
	}
	_, err = appsv1.NewDeployment(ctx, "iis", &appsv1.DeploymentArgs{
		Metadata: meta,
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(2), Selector: selector,
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("iis"), Image: pulumi.String(image),
				}}},
			},
		},
	}, provider)
	return err
}
