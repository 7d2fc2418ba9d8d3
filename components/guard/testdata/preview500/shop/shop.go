// Package shop has the Deployment of which both programs make many.
package shop

import (
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Names are as many as the configuration says with count.
func Names(ctx *pulumi.Context) []string {
	names := make([]string, config.New(ctx, "").RequireInt("count"))
	for i := range names {
		names[i] = fmt.Sprintf("shop-%d", i)
	}
	return names
}

// Metadata is that of the Deployment of that name.
func Metadata(name string) metav1.ObjectMetaArgs {
	return metav1.ObjectMetaArgs{Name: pulumi.String(name), Labels: labels(name)}
}

// Spec is all of the spec but where the pods run.
func Spec(name string, pods corev1.PodSpecArgs) appsv1.DeploymentSpecArgs {
	probe := func(period int) corev1.ProbeArgs {
		return corev1.ProbeArgs{
			HttpGet:       corev1.HTTPGetActionArgs{Path: pulumi.String("/health"), Port: pulumi.String("http")},
			PeriodSeconds: pulumi.Int(period),
		}
	}
	pods.Containers = corev1.ContainerArray{corev1.ContainerArgs{
		Name:  pulumi.String("shop"),
		Image: pulumi.String("mcr.microsoft.com/dotnet/framework/runtime:4.8-windowsservercore-ltsc2022"),
		Ports: corev1.ContainerPortArray{corev1.ContainerPortArgs{
			Name:          pulumi.String("http"),
			ContainerPort: pulumi.Int(8080), Protocol: pulumi.String("TCP"),
		}},
		Env: corev1.EnvVarArray{
			corev1.EnvVarArgs{Name: pulumi.String("ASPNETCORE_URLS"), Value: pulumi.String("http://+:8080")},
			corev1.EnvVarArgs{Name: pulumi.String("CONNECTION"), ValueFrom: corev1.EnvVarSourceArgs{
				SecretKeyRef: corev1.SecretKeySelectorArgs{
					Name: pulumi.String("shop"),
					Key:  pulumi.String("connection"),
				},
			}},
		},
		Resources: corev1.ResourceRequirementsArgs{
			Requests: pulumi.StringMap{"cpu": pulumi.String("500m"), "memory": pulumi.String("2Gi")},
			Limits:   pulumi.StringMap{"cpu": pulumi.String("2"), "memory": pulumi.String("2Gi")},
		},
		ReadinessProbe: probe(10),
		LivenessProbe:  probe(30),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name:      pulumi.String("data"),
			MountPath: pulumi.String(`C:\data`),
		}},
		SecurityContext: corev1.SecurityContextArgs{
			WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String("ContainerUser")},
		},
	}}
	pods.Volumes = corev1.VolumeArray{corev1.VolumeArgs{
		Name:     pulumi.String("data"),
		EmptyDir: corev1.EmptyDirVolumeSourceArgs{},
	}}
	return appsv1.DeploymentSpecArgs{
		Replicas: pulumi.Int(3),
		Selector: metav1.LabelSelectorArgs{MatchLabels: labels(name)},
		Template: corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels(name)}, Spec: pods},
	}
}

func labels(name string) pulumi.StringMap { return pulumi.StringMap{"app": pulumi.String(name)} }
