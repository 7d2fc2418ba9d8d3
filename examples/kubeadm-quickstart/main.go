// Command kubeadm-quickstart creates a self-managed mixed cluster on Azure virtual machines.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	var hashes map[string]string // of programs for Windows, which only their publishers know
	cfg.RequireObject("hashes", &hashes)
	releases, wrong := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(wrong) > 0 {
		return wrong.ToAggregate()
	}
	cluster, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"},
		},
		LinuxAdmin:   kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String(cfg.Require("sshPublicKey"))},
		WindowsAdmin: kubeadm.WindowsAdmin{Password: cfg.RequireSecret("windowsPassword")},
		Releases:     releases,
		ServicePorts: []kubeadm.ServicePort{{Port: 80, NodePort: 30080}}, // forwards to IIS
	})
	if err != nil {
		return err
	}
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	ctx.Export("address", cluster.ServiceAddress)
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
		return err
	}
	return iis(ctx, cluster)
}

// iis deploys Internet Information Services behind the load balancer of the pools, which probes the port of each node.
func iis(ctx *pulumi.Context, cluster *kubeadm.Cluster) error {
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	limits := corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}}
	container := corev1.ContainerArgs{Name: pulumi.String("iis"), Image: image, Resources: limits}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{container}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Topology: cluster.Topology, Scheduling: workload.BySelector,
		Spec: appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template},
	}, pulumi.Provider(cluster.Provider))
	if err != nil {
		return err
	}
	ports := corev1.ServicePortArray{corev1.ServicePortArgs{Port: pulumi.Int(80), NodePort: pulumi.Int(30080)}}
	service := corev1.ServiceSpecArgs{Type: pulumi.String("NodePort"), Selector: labels, Ports: ports}
	_, err = corev1.NewService(ctx, "iis", &corev1.ServiceArgs{Spec: service}, pulumi.Provider(cluster.Provider))
	return err
}
