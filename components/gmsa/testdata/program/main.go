// Command program has all of package gmsa: the kind and its objects in one program, a
// pod that runs as an account, and the webhook with a stand-in for its chart.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

//go:embed webapp2.json
var webapp2 string

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// A provider of its own, as for a cluster that the program makes.
	cluster, err := kubernetes.NewProvider(ctx, "cluster", &kubernetes.ProviderArgs{})
	if err != nil {
		return err
	}
	on := pulumi.Provider(cluster)
	crd, err := gmsa.NewCRD(ctx, "gmsa", on)
	if err != nil {
		return err
	}
	shop, err := corev1.NewNamespace(ctx, "shop",
		&corev1.NamespaceArgs{Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("shop")}}, on)
	if err != nil {
		return err
	}
	if err := webhook(ctx, on); err != nil {
		return err
	}

	after := pulumi.DependsOn([]pulumi.Resource{crd, shop})
	first, err := gmsa.NewCredentialSpec(ctx, "webapp1", &gmsa.CredentialSpecArgs{
		Account: "WebApp1",
		Domain: gmsa.Domain{
			DNSName: "contoso.com", NetBIOSName: "CONTOSO",
			SID: "S-1-5-21-2126449477-2524075714-3094792973", GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
		},
		HostAccountConfig: gmsa.HostAccountConfig{
			PluginGUID:  gmsa.AzureKeyVaultPluginGUID,
			PluginInput: config.RequireSecret(ctx, "pluginInput"),
		},
		ServiceAccounts: []gmsa.ServiceAccount{{Namespace: "shop"}},
	}, on, after)
	if err != nil {
		return err
	}
	second, err := gmsa.NewCredentialSpec(ctx, "second", &gmsa.CredentialSpecArgs{Name: "gmsa-webapp2", JSON: webapp2},
		on, after)
	if err != nil {
		return err
	}
	return pod(ctx, shop, first, second, on)
}

// pod runs as the first account, under a service account that may use both.
func pod(
	ctx *pulumi.Context, shop *corev1.Namespace, first, second *gmsa.CredentialSpec, on pulumi.ResourceOption,
) error {
	account, err := corev1.NewServiceAccount(ctx, "web", &corev1.ServiceAccountArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("web"), Namespace: shop.Metadata.Name()},
	}, on)
	if err != nil {
		return err
	}
	var bindings []pulumi.Resource
	for _, spec := range []*gmsa.CredentialSpec{first, second} {
		binding, err := spec.Allow(ctx, "web-"+spec.SpecName(), shop.Metadata.Name(), account.Metadata.Name(), on)
		if err != nil {
			return err
		}
		bindings = append(bindings, binding)
	}
	_, err = corev1.NewPod(ctx, "web", &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("web"), Namespace: shop.Metadata.Name()},
		Spec: corev1.PodSpecArgs{
			Os: corev1.PodOSArgs{Name: pulumi.String("windows")},
			NodeSelector: pulumi.StringMap{
				"kubernetes.io/os":                 pulumi.String("windows"),
				"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
			},
			Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
				Key:   pulumi.String("os"),
				Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
			}},
			ServiceAccountName: account.Metadata.Name(),
			SecurityContext: corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
				GmsaCredentialSpecName: pulumi.String(first.SpecName()),
			}},
			Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
			}},
		},
	}, on, pulumi.DependsOn(append(bindings, first.Spec)))
	return err
}

// webhook has a stand-in for the chart of the project, which takes the same values.
func webhook(ctx *pulumi.Context, on pulumi.ResourceOption) error {
	_, err := gmsa.NewWebhook(ctx, "hook", &gmsa.WebhookArgs{
		Chart:    "./chart",
		Replicas: 1,
		Image:    "mirror.example.com/gmsa-webhook:v0.13.0",
		Certificate: gmsa.Certificate{
			CA:          pulumi.String(config.Require(ctx, "ca")),
			Certificate: pulumi.String(config.Require(ctx, "certificate")),
			PrivateKey:  config.RequireSecret(ctx, "privateKey"),
		},
		Topology: topology.Topology{Pools: []topology.Pool{{
			Name: "linux", Platform: platform.Linux,
			Taints: []k8score.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: k8score.TaintEffectNoSchedule}},
		}}},
	}, on)
	return err
}
