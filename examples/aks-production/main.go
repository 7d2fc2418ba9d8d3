// Command aks-production creates a mixed cluster on AKS for production, and runs IIS, which survives node drains.
package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	policyv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/policy/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	sys := topology.Pool{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3}
	win := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022}
	win.Autoscaling = topology.Autoscaling{Min: 3, Max: 6}
	for _, pool := range []*topology.Pool{&sys, &win} {
		pool.Size, pool.Zones, pool.Upgrade.MaxSurge = "Standard_D4s_v5", []string{"1", "2", "3"}, "33%"
	}
	var ranges []string // of administrators, of pipelines, and of the machines that run Pulumi
	config.New(ctx, "").RequireObject("authorizedIPRanges", &ranges)
	aad := containerservice.ManagedClusterAADProfileArgs{Managed: pulumi.Bool(true), EnableAzureRBAC: pulumi.Bool(true)}
	cluster, err := aks.NewCluster(ctx, "shop", &aks.ClusterArgs{
		KubernetesVersion: "1.35", Pools: []topology.Pool{sys, win},
		WindowsAdmin: aks.WindowsAdmin{Password: config.New(ctx, "").RequireSecret("windowsPassword")},
		APIServer:    aks.APIServer{AuthorizedIPRanges: pulumi.ToStringArray(ranges), DisableLocalAccounts: true},
		Options:      &containerservice.ManagedClusterArgs{AadProfile: aad},
	})
	if err != nil {
		return err
	}
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
		return err
	}
	inCluster := pulumi.Provider(cluster.Provider)
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster.Topology}, inCluster)
	if err != nil {
		return err
	}
	started := workload.HTTPProbe("/", 80)
	started.FailureThreshold = pulumi.Int(60) // the first request compiles the site
	amount := pulumi.StringMap{"cpu": pulumi.String("500m"), "memory": pulumi.String("800Mi")}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	iis := corev1.ContainerArgs{Name: pulumi.String("iis"), Image: image, StartupProbe: started}
	iis.ReadinessProbe, iis.LivenessProbe = workload.HTTPProbe("/", 80), workload.TCPProbe(80)
	iis.Resources = corev1.ResourceRequirementsArgs{Requests: amount, Limits: amount} // Windows cannot overcommit
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	selector := metav1.LabelSelectorArgs{MatchLabels: labels}
	apart := corev1.TopologySpreadConstraintArgs{MaxSkew: pulumi.Int(1), LabelSelector: selector} // evenly on the nodes
	apart.TopologyKey, apart.WhenUnsatisfiable = pulumi.String("kubernetes.io/hostname"), pulumi.String("DoNotSchedule")
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}}
	pods.TopologySpreadConstraints = corev1.TopologySpreadConstraintArray{apart}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	spec := appsv1.DeploymentSpecArgs{Replicas: pulumi.Int(3), Selector: selector, Template: template}
	args := &workload.DeploymentArgs{Platform: platform.WindowsServer2022, Spec: spec}
	_, err = workload.NewDeployment(ctx, "iis", args, inCluster, pulumi.DependsOn(classes.Ready(args.Platform)))
	if err != nil {
		return err
	}
	budget := policyv1.PodDisruptionBudgetSpecArgs{MaxUnavailable: pulumi.Int(1), Selector: selector} // for upgrades
	_, err = policyv1.NewPodDisruptionBudget(ctx, "iis", &policyv1.PodDisruptionBudgetArgs{Spec: budget}, inCluster)
	if err != nil {
		return err
	}
	ports := corev1.ServicePortArray{corev1.ServicePortArgs{Port: pulumi.Int(80)}}
	service := corev1.ServiceSpecArgs{Type: pulumi.String("LoadBalancer"), Selector: labels, Ports: ports}
	_, err = corev1.NewService(ctx, "iis", &corev1.ServiceArgs{Spec: service}, inCluster)
	return err
}
