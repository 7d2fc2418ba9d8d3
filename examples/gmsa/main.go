// Command gmsa runs Internet Information Services as a group managed service account of Active Directory.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	crd, err := gmsa.NewCRD(ctx, "gmsa")
	if err != nil {
		return err
	}
	after := pulumi.DependsOn([]pulumi.Resource{crd})
	// cert-manager, which must be in the cluster, issues the certificate of the webhook.
	chart := config.New(ctx, "").Get("chart") // empty for the project's chart, or a copy of it
	args := &gmsa.WebhookArgs{Chart: chart, CertManagerInstalled: true}
	webhook, err := gmsa.NewWebhook(ctx, "gmsa-webhook", args, after)
	if err != nil {
		return err
	}
	domain := gmsa.Domain{ // what Get-ADDomain shows
		DNSName: "contoso.com", NetBIOSName: "CONTOSO",
		SID: "S-1-5-21-2126449477-2524075714-3094792973", GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
	}
	account := &gmsa.CredentialSpecArgs{Account: "WebApp01", Domain: domain}
	spec, err := gmsa.NewCredentialSpec(ctx, "webapp01", account, after)
	if err != nil {
		return err
	}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	// Without the webhook the pod would start without an identity.
	_, err = workload.NewPod(ctx, "iis", &workload.PodArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		CredentialSpec: spec,
		Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name: pulumi.String("iis"), Image: image,
		}}},
	}, pulumi.DependsOn([]pulumi.Resource{webhook.Chart}))
	return err
}
