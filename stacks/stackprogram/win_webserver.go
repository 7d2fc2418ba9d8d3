package stackprogram

import (
	_ "embed"
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
)

// listener is the web server, as it is to run in the container.
//
//go:embed win_webserver.ps1
var listener string

// containerCommand runs a PowerShell script. Kubernetes expands $(NAME) in a
// command, and turns $$ into $: doubled, every $ of the script reaches
// PowerShell (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container).
func containerCommand(script string) pulumi.StringArray {
	return pulumi.ToStringArray([]string{"powershell.exe", "-command", strings.ReplaceAll(script, "$", "$$")})
}

// deployWinWebserver deploys the web server behind a NodePort Service.
func deployWinWebserver(ctx *pulumi.Context, on windows) error {
	labels, metadata := labelled(on.name), called(on.name)
	_, err := workload.NewDeployment(ctx, on.name, &workload.DeploymentArgs{
		Platform: on.platform,
		Metadata: metadata,
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(2),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name:      pulumi.String("windowswebserver"),
						Image:     pulumi.String("mcr.microsoft.com/windows/servercore:" + imageTag(on.platform)),
						Command:   containerCommand(listener),
						Resources: upTo("300Mi"),
					}},
				},
			},
		},
	}, on.options...)
	if err != nil {
		return err
	}
	_, err = corev1.NewService(ctx, on.name, &corev1.ServiceArgs{
		Metadata: metadata,
		Spec: corev1.ServiceSpecArgs{
			Type:     pulumi.String("NodePort"),
			Ports:    corev1.ServicePortArray{corev1.ServicePortArgs{Port: pulumi.Int(80), TargetPort: pulumi.Int(80)}},
			Selector: labels,
		},
	}, on.cluster...)
	return err
}
