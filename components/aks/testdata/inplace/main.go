// Command inplace has a cluster with a pool that changes in place, as docs/aks.md explains, and pods on it with a budget.
package main

import (
	"cmp"
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	podv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	policyv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/policy/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	c := config.New(ctx, "")
	pool := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 2}
	if c.GetBool("linux") {
		pool.Name, pool.Platform = "linux", platform.Linux
	}
	// The time is short only if a budget blocks: it also depends on the length of Azure's minutes.
	pool.Upgrade = topology.Upgrade{DrainTimeoutMinutes: 5, NodeSoakMinutes: c.GetInt("soak")}
	options := aks.PoolOptions{NameInAzure: c.Get("nameInAzure")}
	if c.GetBool("inPlace") {
		options.Change = aks.InPlace
		options.Previews = []aks.Preview{aks.VMSSResize, aks.WindowsOSUpgrade}
	}
	var changed properties
	c.GetObject("pool", &changed)
	if err := changed.set(&pool, &options); err != nil {
		return err
	}
	cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{
				Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5",
				Taints: []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: corev1.TaintEffectNoSchedule}},
			},
			pool,
		},
		PoolOptions:  map[string]aks.PoolOptions{pool.Name: options},
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
	return workload(ctx, images[pool.Platform], pulumi.Provider(cluster.Provider))
}

var images = map[platform.Platform]string{
	platform.Linux:             "nginx:1.28-alpine",
	platform.WindowsServer2022: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
	platform.WindowsServer2025: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025",
}

// properties are the properties of a pool, by their names in Azure's API, that the configuration can set.
type properties struct {
	NodeLabels                                              map[string]string
	NodeTaints                                              []string
	Tags                                                    map[string]string
	ScaleDownMode, Mode, OSSKU, OrchestratorVersion, VMSize string
	Count, MinCount, MaxCount                               int
	UpgradeSettings                                         struct{ MaxSurge string }
	EnableFIPS                                              bool
}

// set sets the arguments of a pool that send the properties.
func (p properties) set(pool *topology.Pool, options *aks.PoolOptions) error {
	pool.Labels, pool.Mode, pool.KubernetesVersion = p.NodeLabels, topology.Mode(p.Mode), p.OrchestratorVersion
	pool.Size, pool.FIPS = cmp.Or(p.VMSize, pool.Size), p.EnableFIPS
	pool.Autoscaling = topology.Autoscaling{Min: p.MinCount, Max: p.MaxCount}
	if pool.Count = cmp.Or(p.Count, pool.Count); pool.Autoscaling.Enabled() {
		pool.Count = 0
	}
	pool.Upgrade.MaxSurge = p.UpgradeSettings.MaxSurge
	if p.NodeTaints != nil {
		pool.Taints = []corev1.Taint{}
		pool.Untainted = pool.Platform.IsWindows() && len(p.NodeTaints) == 0
	}
	for _, text := range p.NodeTaints {
		taint, err := topology.ParseTaint(text)
		if err != nil {
			return err
		}
		pool.Taints = append(pool.Taints, taint)
	}
	options.Options = &containerservice.AgentPoolArgs{}
	if p.Tags != nil {
		options.Options.Tags = pulumi.ToStringMap(p.Tags)
	}
	if p.ScaleDownMode != "" {
		options.Options.ScaleDownMode = pulumi.String(p.ScaleDownMode)
	}
	switch p.OSSKU {
	case "", "Windows2022":
	case "Windows2025":
		pool.Platform, pool.FIPS = platform.WindowsServer2025, true
	default:
		options.Options.OsSKU = pulumi.String(p.OSSKU)
	}
	return nil
}

// workload is a Deployment, and the budget of the configuration. Its pods take a while to start and to end.
func workload(ctx *pulumi.Context, image string, provider pulumi.ResourceOption) error {
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	meta := metav1.ObjectMetaArgs{Name: pulumi.String("web"), Namespace: pulumi.String("default")}
	selector := metav1.LabelSelectorArgs{MatchLabels: labels}
	var budget struct{ MinAvailable, MaxUnavailable *int }
	config.GetObject(ctx, "budget", &budget)
	if budget.MinAvailable != nil || budget.MaxUnavailable != nil {
		spec := policyv1.PodDisruptionBudgetSpecArgs{Selector: selector}
		if budget.MinAvailable != nil {
			spec.MinAvailable = pulumi.Int(*budget.MinAvailable)
		}
		if budget.MaxUnavailable != nil {
			spec.MaxUnavailable = pulumi.Int(*budget.MaxUnavailable)
		}
		if _, err := policyv1.NewPodDisruptionBudget(ctx, "web", &policyv1.PodDisruptionBudgetArgs{
			Metadata: meta, Spec: spec,
		}, provider); err != nil {
			return err
		}
	}
	_, err := appsv1.NewDeployment(ctx, "web", &appsv1.DeploymentArgs{
		Metadata: meta,
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(2), Selector: selector,
			Template: podv1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels, Annotations: pulumi.StringMap{
					"pod-ready.stage.kwok.x-k8s.io/delay":  pulumi.String("100ms"),
					"pod-delete.stage.kwok.x-k8s.io/delay": pulumi.String("200ms"),
				}},
				Spec: podv1.PodSpecArgs{Containers: podv1.ContainerArray{podv1.ContainerArgs{
					Name: pulumi.String("web"), Image: pulumi.String(image),
				}}},
			},
		},
	}, provider)
	return err
}
