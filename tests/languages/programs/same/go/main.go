// Command go is a program with an explicit provider, components and other resources. The
// sibling directories have the same program in other languages.
package main

import (
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	c := config.New(ctx, "")
	cluster, err := kubernetes.NewProvider(ctx, "cluster", &kubernetes.ProviderArgs{
		Kubeconfig: c.RequireSecret("kubeconfig"),
	})
	if err != nil {
		return err
	}
	in := pulumi.Provider(cluster)
	pools := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Count: 2},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: pools}, in)
	if err != nil {
		return err
	}
	settings, err := corev1.NewConfigMap(ctx, "settings", &corev1.ConfigMapArgs{
		Data: pulumi.StringMap{"greeting": pulumi.String("hello")},
	}, in)
	if err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	replicas := 1
	if configured, err := c.TryInt("replicas"); err == nil {
		replicas = configured
	}
	web, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022,
		Topology: pools,
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("web")},
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(replicas),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:  pulumi.String("web"),
					Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
					Env: corev1.EnvVarArray{
						corev1.EnvVarArgs{
							Name: pulumi.String("GREETING"), ValueFrom: corev1.EnvVarSourceArgs{
								ConfigMapKeyRef: corev1.ConfigMapKeySelectorArgs{
									Name: settings.Metadata.Name(), Key: pulumi.String("greeting"),
								},
							},
						},
						corev1.EnvVarArgs{Name: pulumi.String("TOKEN"), Value: c.RequireSecret("token")},
					},
				}}},
			},
		},
	}, in, pulumi.DependsOn([]pulumi.Resource{classes}), pulumi.Protect(true))
	if err != nil {
		return err
	}
	if _, err := hostprocess.NewDaemonSet(ctx, "agent", &hostprocess.DaemonSetArgs{
		User: hostprocess.LocalService, Topology: pools,
		Pods: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name: pulumi.String("agent"), Image: pulumi.String("agent:1.0"),
		}}},
	}, in); err != nil {
		return err
	}
	if _, err := manifest.NewGroup(ctx, "shop", &manifest.GroupArgs{
		YAML: deployed, Options: manifest.Options{Topology: pools},
	}, in); err != nil {
		return err
	}
	ctx.Export("web", web.Name)
	ctx.Export("classes", classes.Names)
	return nil
}

const deployed = `apiVersion: v1
kind: Pod
metadata:
  name: backup
spec:
  os:
    name: windows
  containers:
    - name: backup
      image: mcr.microsoft.com/windows/nanoserver:ltsc2022
`
