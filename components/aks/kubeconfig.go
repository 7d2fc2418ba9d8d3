package aks

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/provided"
)

// kubeconfig reads the credentials of the cluster from Azure, and converts them to sign in with the login.
func kubeconfig(
	ctx *pulumi.Context, group, cluster pulumi.StringInput, login Login, parent pulumi.InvokeOption,
) pulumi.StringOutput {
	var encoded containerservice.CredentialResultResponseArrayOutput
	call := "azure-native:containerservice:listManagedClusterUserCredentials"
	if login.Mode == LoginAdmin {
		call = "azure-native:containerservice:listManagedClusterAdminCredentials"
		encoded = containerservice.ListManagedClusterAdminCredentialsOutput(ctx,
			containerservice.ListManagedClusterAdminCredentialsOutputArgs{
				ResourceGroupName: group,
				ResourceName:      cluster,
			}, parent).Kubeconfigs()
	} else {
		encoded = containerservice.ListManagedClusterUserCredentialsOutput(ctx,
			containerservice.ListManagedClusterUserCredentialsOutputArgs{
				ResourceGroupName: group,
				ResourceName:      cluster,
			}, parent).Kubeconfigs()
	}
	settings := login.settings()
	converted := pulumi.All(encoded, settings).ApplyT(func(values []any) (string, error) {
		kubeconfigs, texts := values[0].([]containerservice.CredentialResultResponse), values[1].([]string)
		if len(kubeconfigs) == 0 {
			return "", provided.Missing(ctx, call, "kubeconfigs")
		}
		text, err := base64.StdEncoding.DecodeString(kubeconfigs[0].Value)
		if err != nil {
			// The message of the error would show a part of the value.
			return "", errors.New("azure returned a kubeconfig that is not base64")
		}
		text, err = login.resolved(texts).Kubeconfig(text)
		if err != nil {
			return "", fmt.Errorf("the kubeconfig from Azure: %w", err)
		}
		return string(text), nil
	})
	return pulumi.ToSecret(converted).(pulumi.StringOutput)
}

// newProvider creates the provider for Kubernetes resources of the cluster.
func newProvider(
	ctx *pulumi.Context, name string, kubeconfig pulumi.StringOutput, id pulumi.IDOutput, opts ...pulumi.ResourceOption,
) (*kubernetes.Provider, error) {
	return kubernetes.NewProvider(ctx, name+"-kubernetes", &kubernetes.ProviderArgs{
		Kubeconfig: kubeconfig,
		// By default, another server or authority in the kubeconfig, or one that is not known in a preview, would
		// mean another cluster, and Pulumi would replace all resources in the cluster.
		ClusterIdentifier: id.ToStringPtrOutput(),
	}, opts...)
}
