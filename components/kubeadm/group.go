package kubeadm

import (
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

// resourceGroup returns the name of the configured group, or of a new one.
func (s clusterSpec) resourceGroup(
	ctx *pulumi.Context, name string, parent pulumi.ResourceOption,
) (pulumi.StringOutput, error) {
	if s.ResourceGroupName != nil {
		return s.ResourceGroupName.ToStringOutput(), nil
	}
	group, err := resources.NewResourceGroup(ctx, name+"-rg", &resources.ResourceGroupArgs{
		Location: input.Optional(s.Location),
		Tags:     s.Tags,
	}, parent)
	if err != nil {
		return pulumi.StringOutput{}, err
	}
	return group.Name, nil
}

// inGroup returns the ID of a resource in the resource group of another one. Resources that refer
// to their own parts need it.
func inGroup(other pulumi.IDOutput, path string) pulumi.StringOutput {
	return other.ApplyT(func(id pulumi.ID) string {
		group, _, _ := strings.Cut(string(id), "/providers/")
		return group + "/providers/" + path
	}).(pulumi.StringOutput)
}
