package stackprogram

import (
	"slices"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// deployRunAsUser deploys a Pod whose containers have few rights in it.
func deployRunAsUser(ctx *pulumi.Context, on windows) error {
	_, err := workload.NewPod(ctx, on.name, &workload.PodArgs{
		Platform: on.platform,
		Metadata: called(on.name),
		User:     workload.ContainerUser,
		Spec:     corev1.PodSpecArgs{Containers: corev1.ContainerArray{idler(on.platform)}},
	}, on.options...)
	return err
}

// deployGMSA deploys the kind of credential specs, one spec, and on each Windows platform
// a Pod that runs as its account. The webhook that the nodes need beside it is a Helm
// chart: see gmsa.NewWebhook.
func deployGMSA(ctx *pulumi.Context, name string, cluster target) error {
	crd, err := gmsa.NewCRD(ctx, name, cluster.Options...)
	if err != nil {
		return err
	}
	spec, err := gmsa.NewCredentialSpec(ctx, name, &gmsa.CredentialSpecArgs{
		Account: "webapp1",
		Domain: gmsa.Domain{
			DNSName: "contoso.com", NetBIOSName: "CONTOSO",
			SID: "S-1-5-21-2126449477-2524075714-3094792973", GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
		},
	}, append(slices.Clone(cluster.Options), pulumi.DependsOn([]pulumi.Resource{crd}))...)
	if err != nil {
		return err
	}
	for _, on := range cluster.windows {
		on := on.named(stackconfig.GMSA)
		_, err := workload.NewPod(ctx, on.name, &workload.PodArgs{
			Platform:       on.platform,
			Metadata:       called(on.name),
			CredentialSpec: spec,
			Spec:           corev1.PodSpecArgs{Containers: corev1.ContainerArray{idler(on.platform)}},
		}, on.options...)
		if err != nil {
			return err
		}
	}
	return nil
}
