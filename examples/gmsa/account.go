package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/gmsa"
)

// newAccount describes an account of Active Directory to the cluster, and installs the webhook that gives pods the
// description.
func newAccount(ctx *pulumi.Context) (*gmsa.CredentialSpec, *gmsa.Webhook, error) {
	crd, err := gmsa.NewCRD(ctx, "gmsa")
	if err != nil {
		return nil, nil, err
	}
	after := pulumi.DependsOn([]pulumi.Resource{crd})
	// The certificate of the webhook is cert-manager's, which must be in the cluster.
	chart := config.New(ctx, "").Get("chart") // empty for the project's own, or a copy of it
	webhook, err := gmsa.NewWebhook(ctx, "gmsa-webhook", &gmsa.WebhookArgs{Chart: chart}, after)
	if err != nil {
		return nil, nil, err
	}
	domain := gmsa.Domain{ // what Get-ADDomain shows
		DNSName: "contoso.com", NetBIOSName: "CONTOSO",
		SID: "S-1-5-21-2126449477-2524075714-3094792973", GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
	}
	spec, err := gmsa.NewCredentialSpec(ctx, "webapp01", &gmsa.CredentialSpecArgs{Account: "WebApp01", Domain: domain},
		after)
	return spec, webhook, err
}
