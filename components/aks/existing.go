package aks

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/aks/plan"
)

// existing is the cluster as it is in Azure, if it is there.
type existing struct {
	plan.InAzure

	found bool
	place plan.Place
}

// lookUp asks Azure for the cluster, as a component has no memory of its own. It waits
// for the name of the resource group, which nothing of the cluster can hold up. Where
// that is not known, in a preview, neither the group nor the cluster is there yet.
func (s clusterSpec) lookUp(
	ctx *pulumi.Context, group pulumi.StringOutput, parent pulumi.InvokeOption,
) (existing, error) {
	e := existing{place: plan.Place{Cluster: s.ClusterName}}
	result, err := internals.UnsafeAwaitOutput(ctx.Context(), group)
	if err != nil {
		return e, err
	}
	name, ok := result.Value.(string)
	if !ok || !result.Known {
		return e, nil
	}
	switch {
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
		ResourceName:      s.ClusterName,
	}, parent)
	switch {
	case err != nil && isNotFound(err):
		return e, nil
	case err != nil:
		return e, fmt.Errorf("looking for the cluster %q in Azure: %w", s.ClusterName, err)
	case found.Name == "" && ctx.DryRun():
		// Azure is not known yet: its provider is made by the same program.
		return e, nil
	}
	e.found = true
	e.InAzure = inAzure(found)
	return e, nil
}

// groupName is what Azure takes
// (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftresources),
// and no code for any shell, see [plan.Command].
var groupName = regexp.MustCompile(`^[\pL\pN_.()-]+$`)

// isNotFound says whether Azure says that there is no cluster, or no group, of the name.
func isNotFound(err error) bool { return strings.Contains(err.Error(), "NotFound") }

func inAzure(c *containerservice.LookupManagedClusterResult) plan.InAzure {
	a := plan.InAzure{Tags: map[string]string{}, Versions: map[string]string{}}
	maps.Copy(a.Tags, c.Tags)
	for _, pool := range c.AgentPoolProfiles {
		a.Versions[pool.Name] = pool.CurrentOrchestratorVersion
	}
	if w := c.WindowsProfile; w != nil {
		a.LicenseType = plan.LicenseType(value(w.LicenseType))
		if g := w.GmsaProfile; g != nil && g.Enabled != nil && *g.Enabled {
			a.GMSA = plan.GMSA{Enabled: true, DNSServer: value(g.DnsServer), RootDomainName: value(g.RootDomainName)}
		}
	}
	return a
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
