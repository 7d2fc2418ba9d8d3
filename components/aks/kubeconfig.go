package aks

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/internal/provided"
)

// kubeconfig asks Azure for credentials, and makes them sign in as the login says.
func kubeconfig(
	ctx *pulumi.Context, group, cluster pulumi.StringInput, login Login, parent pulumi.InvokeOption,
) pulumi.StringOutput {
	var given containerservice.CredentialResultResponseArrayOutput
	call := "azure-native:containerservice:listManagedClusterUserCredentials"
	if login.Mode == LoginAdmin {
		call = "azure-native:containerservice:listManagedClusterAdminCredentials"
		given = containerservice.ListManagedClusterAdminCredentialsOutput(ctx,
			containerservice.ListManagedClusterAdminCredentialsOutputArgs{
				ResourceGroupName: group,
				ResourceName:      cluster,
			}, parent).Kubeconfigs()
	} else {
		given = containerservice.ListManagedClusterUserCredentialsOutput(ctx,
			containerservice.ListManagedClusterUserCredentialsOutputArgs{
				ResourceGroupName: group,
				ResourceName:      cluster,
			}, parent).Kubeconfigs()
	}
	settings := login.settings()
	converted := pulumi.All(given, settings).ApplyT(func(values []any) (string, error) {
		kubeconfigs, texts := values[0].([]containerservice.CredentialResultResponse), values[1].([]string)
		if len(kubeconfigs) == 0 {
			return "", provided.Missing(ctx, call, "kubeconfigs")
		}
		text, err := base64.StdEncoding.DecodeString(kubeconfigs[0].Value)
		if err != nil {
			// The text of the error would show a part of the value.
			return "", errors.New("azure gave a kubeconfig that is not in base64")
		}
		text, err = login.resolved(texts).Kubeconfig(text)
		if err != nil {
			return "", fmt.Errorf("the kubeconfig that Azure gave: %w", err)
		}
		return string(text), nil
	})
	return pulumi.ToSecret(converted).(pulumi.StringOutput)
}

// newProvider makes the cluster a provider of Kubernetes resources.
func newProvider(
	ctx *pulumi.Context, name string, kubeconfig pulumi.StringOutput, id pulumi.IDOutput, opts ...pulumi.ResourceOption,
) (*kubernetes.Provider, error) {
	return kubernetes.NewProvider(ctx, name+"-kubernetes", &kubernetes.ProviderArgs{
		Kubeconfig: kubeconfig,
		// By default it is another cluster if its server or authority in the kubeconfig is another
		// one, or not known in a preview, and all in the cluster would be replaced.
		ClusterIdentifier: id.ToStringPtrOutput(),
	}, opts...)
}
