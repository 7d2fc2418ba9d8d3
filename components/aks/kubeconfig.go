package aks

import (
	"encoding/base64"
	"errors"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// kubeconfig asks Azure for the user's credentials.
func kubeconfig(
	ctx *pulumi.Context, group, cluster pulumi.StringInput, parent pulumi.InvokeOption,
) pulumi.StringOutput {
	credentials := containerservice.ListManagedClusterUserCredentialsOutput(ctx,
		containerservice.ListManagedClusterUserCredentialsOutputArgs{
			ResourceGroupName: group,
			ResourceName:      cluster,
		}, parent)
	decoded := credentials.ApplyT(func(c containerservice.ListManagedClusterUserCredentialsResult) (string, error) {
		if len(c.Kubeconfigs) == 0 {
			return "", errors.New("azure gave no kubeconfig")
		}
		text, err := base64.StdEncoding.DecodeString(c.Kubeconfigs[0].Value)
		if err != nil {
			// The text of the error would show a part of the value.
			return "", errors.New("azure gave a kubeconfig that is not in base64")
		}
		return string(text), nil
	})
	return pulumi.ToSecret(decoded).(pulumi.StringOutput)
}
