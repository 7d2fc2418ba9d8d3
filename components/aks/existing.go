package aks

import (
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/components/provided"
)

// existing is the cluster in Azure, if it exists.
type existing struct {
	plan.InAzure

	found bool
	// unknown is true if the cluster could not be looked up: in a preview if the same program creates the
	// provider, or under the SDK's mocks, which answer with something that is not a cluster.
	unknown bool
	id      string
	place   plan.Place
}

// lookUp looks a cluster up in Azure, because a component cannot see the state of the stack. It waits for the name of
// the resource group, which does not depend on the cluster. If the name is not known, in a preview, neither the group
// nor the cluster exists yet.
func lookUp(
	ctx *pulumi.Context, group pulumi.StringOutput, cluster string, parent pulumi.InvokeOption,
) (existing, error) {
	e := existing{place: plan.Place{Cluster: cluster}}
	result, err := internals.UnsafeAwaitOutput(ctx.Context(), group)
	if err != nil {
		return e, err
	}
	name, ok := result.Value.(string)
	if !ok || !result.Known {
		return e, nil
	}
	switch {
	case name == "" && slices.ContainsFunc(result.Dependencies, isGroup):
		return e, fmt.Errorf("resourceGroupName: %w", provided.Missing(ctx, groupType, "name"))
	case utf8.RuneCountInString(name) > plan.MaxResourceGroup:
		return e, fmt.Errorf("resourceGroupName: Too long: the name of a resource group has at most %d characters",
			plan.MaxResourceGroup)
	case !groupName.MatchString(name):
		return e, fmt.Errorf(
			"resourceGroupName: %q: the name of a resource group has letters, digits, underscores, hyphens, periods "+
				"and parentheses only", name,
		)
	}
	e.place.ResourceGroup = name
	found, err := containerservice.LookupManagedCluster(ctx, &containerservice.LookupManagedClusterArgs{
		ResourceGroupName: name,
		ResourceName:      cluster,
	}, parent)
	switch {
	case err != nil && isNotFound(err):
		return e, nil
	case err != nil:
		return e, fmt.Errorf("looking for the cluster %q in Azure: %w", cluster, err)
	case found.Name == "" && (ctx.DryRun() || ctx.RunningWithMocks()):
		e.unknown = true
		return e, nil
	}
	e.found, e.id = true, found.Id
	e.InAzure = plan.ReadInAzure(object(found))
	return e, nil
}

func isGroup(r pulumi.Resource) bool { return r.PulumiResourceType() == groupType }

// groupName matches names that Azure accepts
// (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftresources),
// and that contain no code for any shell, see [plan.Command].
var groupName = regexp.MustCompile(`^[\pL\pN_.()-]+$`)

// notFound matches the codes of Azure for a cluster or a resource group that does not exist. Other codes end in the
// same words, for example SubscriptionNotFound, but do not mean that the cluster does not exist
// (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found).
var notFound = regexp.MustCompile(`\bResource(Group)?NotFound\b`)

func isNotFound(err error) bool { return notFound.MatchString(err.Error()) }
