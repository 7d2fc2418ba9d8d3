package arm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var clusterNameFormat = regexp.MustCompile(`^[a-zA-Z0-9]([-_a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$`)

// reservedNames are words that cannot be the name of a cluster
// (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-reserved-resource-name).
var reservedNames = []string{
	"access", "app_code", "app_themes", "app_data", "app_globalresources", "app_localresources",
	"app_webreferences", "app_browsers", "azure", "bing", "bizspark", "biztalk", "cortana", "directx", "dotnet",
	"dynamics", "excel", "exchange", "forefront", "groove", "hololens", "hyperv", "kinect", "lync", "msdn", "o365",
	"office", "office365", "onedrive", "onenote", "outlook", "powerpoint", "sharepoint", "skype", "visio",
	"visualstudio", "web.config", "xbox",
}

func checkClusterName(name string) error {
	lower := strings.ToLower(name)
	switch {
	case !clusterNameFormat.MatchString(name):
		return invalidParameter("resourceName",
			"the name '%s' has to have 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at "+
				"both ends", name)
	case strings.Contains(lower, "microsoft") || strings.Contains(lower, "windows"):
		return reservedName(name,
			"because 'MICROSOFT' and 'WINDOWS' can't be used as either a whole word or a substring in the name")
	case strings.HasPrefix(lower, "login") || strings.HasPrefix(lower, "xbox"):
		return reservedName(name,
			"because 'LOGIN' and 'XBOX' can't be used at the start of a resource name, but can be used later in the "+
				"name")
	case slices.Contains(reservedNames, lower):
		return reservedName(name, "because it is reserved")
	}
	return nil
}

func reservedName(name, why string) *Error {
	return invalidParameter("name", "\"%s\" managed cluster name is invalid %s.", name, why)
}

const longestNodeGroup = 80

// checkNodeGroup sets the default name of the resource group that AKS creates for the parts of a cluster, and checks
// it.
func (r *request) checkNodeGroup(body, properties Body, isNew bool) error {
	defaultAt(properties, "nodeResourceGroup",
		fmt.Sprintf("MC_%s_%s_%s", r.id.group, r.id.name(), textAt(body, "location")))
	name := textAt(properties, "nodeResourceGroup")
	if !isNew {
		return nil // It cannot be changed.
	}
	switch {
	case len(name) > longestNodeGroup:
		return refused("InvalidParameter", "name", "The length of the node resource group name is too long. The "+
			"maximum length is %d and the length of the value provided is %d. Please see "+
			"https://aka.ms/aks-naming-rules for more details.", longestNodeGroup, len(name))
	case strings.EqualFold(name, r.id.group):
		return refused("NodeResourceGroupSameAsResourceGroup", "",
			"The node resource group '%s' is the resource group of the managed cluster.", name)
	case r.state.get("/subscriptions/"+subscription+"/resourceGroups/"+name) != nil:
		return refused("NodeResourceGroupAlreadyExists", "", "The node resource group '%s' already exists.", name)
	}
	for _, other := range r.state.all(kindCluster) {
		if strings.EqualFold(textAt(other.Body, "properties.nodeResourceGroup"), name) {
			return refused("NodeResourceGroupManagedByAnotherResource", "",
				"The node resource group '%s' is managed by %s.", name, other.ID)
		}
	}
	return nil
}
