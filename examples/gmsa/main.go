// Command gmsa runs Internet Information Services as a group managed service account of Active Directory.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/workload"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	spec, webhook, err := newAccount(ctx)
	if err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	limits := corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}}
	iis := corev1.ContainerArgs{
		Name:  pulumi.String("iis"),
		Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"), Resources: limits,
	}
	template := corev1.PodTemplateSpecArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: labels},
		Spec:     corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}},
	}
	deployment := appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template}
	args := &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Spec: deployment, CredentialSpec: spec,
	}
	// Without the webhook the pods would start, and have no identity.
	_, err = workload.NewDeployment(ctx, "iis", args, pulumi.DependsOn([]pulumi.Resource{webhook}))
	return err
}
