package arm

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// The messages are from SupportArticles-docs, support/azure/azure-kubernetes/error-codes/ invalidparameter-error.md.
func TestNamesOfClusters(t *testing.T) {
	t.Parallel()
	const (
		trademark = `because 'MICROSOFT' and 'WINDOWS' can't be used as either a whole word or a substring in the name.`
		start     = `because 'LOGIN' and 'XBOX' can't be used at the start of a resource name, but can be used later ` +
			`in the name.`
	)
	for name, why := range map[string]string{
		"shop-windows": trademark, "Windows": trademark, "omsagent-aks-dev-microsoft": trademark,
		"login": start, "Login-shop": start, "xboxes": start,
		"azure": "because it is reserved.", "HyperV": "because it is reserved.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id := strings.TrimSuffix(clusterID, "shop") + name
			_, err := emptyCloud(t, Options{}).Put(t.Context(), id, clusterBody(nil))
			wantError(t, err, invalid("name", `"`+name+`" managed cluster name is invalid `+why))
		})
	}
	for _, name := range []string{"shop-login", "azure-shop", "the-xbox", "win-dows"} {
		mustPut(t, emptyCloud(t, Options{}), strings.TrimSuffix(clusterID, "shop")+name, clusterBody(nil))
	}
}

// The list of the rule is a second copy: decision 0008.
func TestReservedNamesHaveFindings(t *testing.T) {
	t.Parallel()
	for _, name := range reservedNames {
		found := plan.CheckClusterName(name)
		if len(found) != 1 || found[0].Path != "clusterName" {
			t.Errorf("%s: %v, want a finding about clusterName", name, found)
		}
	}
}

func TestNodeResourceGroups(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("n", 52)
	// MC_rg_<52>_westeurope has 69 characters, so that 63 are 80.
	fits, long := name+strings.Repeat("n", 11), strings.Repeat("n", 64)
	at := func(name string) string { return strings.TrimSuffix(clusterID, "shop") + name }
	// https://github.com/rancher/rancher/issues/21264 and
	// https://github.com/Azure-Terraform/terraform-azurerm-kubernetes/issues/33 show it.
	tooLong := func(length string) *Error {
		return bad400("InvalidParameter", "name", "The length of the node resource group name is too long. The "+
			"maximum length is 80 and the length of the value provided is "+length+". Please see "+
			"https://aka.ms/aks-naming-rules for more details.")
	}
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, at(fits), clusterBody(nil))
	group := strings.TrimSuffix(groupID, "rg")
	mustPut(t, cloud, group+"long-group", Body{"location": "westeurope"})
	_, err := cloud.Put(t.Context(), strings.Replace(at(long[1:]), "/rg/", "/long-group/", 1), clusterBody(nil))
	wantError(t, err, tooLong("88"))

	own := func(name string) Body { return clusterBody(map[string]any{"nodeResourceGroup": name}) }
	mustPut(t, cloud, clusterID, own(strings.Repeat("g", 80)))
	// The codes are from Microsoft's package apierror. The messages are our own.
	for node, want := range map[string]*Error{
		strings.Repeat("h", 81): tooLong("81"),
		"RG": bad400("NodeResourceGroupSameAsResourceGroup", "",
			"The node resource group 'RG' is the resource group of the managed cluster."),
		"Long-Group": bad400("NodeResourceGroupAlreadyExists", "",
			"The node resource group 'Long-Group' already exists."),
		strings.Repeat("G", 80): bad400("NodeResourceGroupManagedByAnotherResource", "",
			"The node resource group '"+strings.Repeat("G", 80)+"' is managed by "+clusterID+"."),
	} {
		_, err := cloud.Put(t.Context(), at("other"), own(node))
		wantError(t, err, want)
	}
}

// A cluster without a network profile: as in the recorded stacks of azure-native's tests, upgrade-aks-api-version
// (2025-11-21) among them.
func TestNetworkDefaultsOfAClusterWithoutAProfile(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	wantAt(t, mustPut(t, cloud, clusterID, clusterBody(map[string]any{"networkProfile": nil})), map[string]any{
		"properties.networkProfile.networkPlugin": "azure", "properties.networkProfile.networkPluginMode": "overlay",
		"properties.networkProfile.networkDataplane": "azure", "properties.networkProfile.podCidr": "10.244.0.0/16",
	})
	wantAt(t, mustGet(t, cloud, systemID), map[string]any{"properties.maxPods": 250.0})
	mustPut(t, cloud, winID, windowsPool(nil))
}
