package gmsa_test

import (
	"fmt"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// A cluster with cert-manager, and an account for the pods of one service account.
func Example() {
	program := func(ctx *pulumi.Context) error {
		crd, err := gmsa.NewCRD(ctx, "gmsa")
		if err != nil {
			return err
		}
		webhook, err := gmsa.NewWebhook(ctx, "gmsa", nil)
		if err != nil {
			return err
		}
		web, err := gmsa.NewCredentialSpec(ctx, "webapp1", &gmsa.CredentialSpecArgs{
			Account: "WebApp1",
			Domain: gmsa.Domain{
				DNSName:     "contoso.com",
				NetBIOSName: "CONTOSO",
				SID:         "S-1-5-21-2126449477-2524075714-3094792973",
				GUID:        "244818ae-87ac-4fcd-92ec-e79e5252348a",
			},
		}, pulumi.DependsOn([]pulumi.Resource{crd}))
		if err != nil {
			return err
		}
		allowed, err := web.Allow(ctx, "web-gmsa", pulumi.String("shop"), pulumi.String("web"))
		if err != nil {
			return err
		}
		_, err = corev1.NewPod(ctx, "web", &corev1.PodArgs{
			Spec: corev1.PodSpecArgs{
				ServiceAccountName: pulumi.String("web"),
				SecurityContext: corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
					GmsaCredentialSpecName: pulumi.String(web.SpecName()),
				}},
				// And what other pods on Windows have.
			},
		}, pulumi.DependsOn([]pulumi.Resource{web.Spec, allowed, webhook.Chart}))
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	for _, spec := range graph.ByType("kubernetes:windows.k8s.io/v1:GMSACredentialSpec") {
		content := spec.Plain()["credspec"].(map[string]any)
		fmt.Println(content["ActiveDirectoryConfig"].(map[string]any)["GroupManagedServiceAccounts"])
	}
	fmt.Println(err)
	// Output:
	// [map[Name:WebApp1 Scope:contoso.com] map[Name:WebApp1 Scope:CONTOSO]]
	// <nil>
}

// The file that New-CredentialSpec has written on a machine of the domain.
func ExampleNewCredentialSpec_json() {
	const file = `{
  "CmsPlugins": ["ActiveDirectory"],
  "DomainJoinConfig": {"Sid": "S-1-5-21-2126449477-2524075714-3094792973-1104", "MachineAccountName": "WebApp1"}
}`
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := gmsa.NewCredentialSpec(ctx, "webapp1", &gmsa.CredentialSpecArgs{JSON: file})
		return err
	})
	fmt.Println(err)
	// Output:
	// mixedkube:gmsa:CredentialSpec "webapp1":
	//   json.ActiveDirectoryConfig: Required value: line 1: an object with the accounts of containers and hosts
	//   json.DomainJoinConfig.DnsName: Required value: line 3: New-CredentialSpec writes it
	//   json.DomainJoinConfig.DnsTreeName: Required value: line 3: New-CredentialSpec writes it
	//   json.DomainJoinConfig.Guid: Required value: line 3: New-CredentialSpec writes it
	//   json.DomainJoinConfig.NetBiosName: Required value: line 3: New-CredentialSpec writes it
}
