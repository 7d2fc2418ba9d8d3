package arm

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// The properties of a cluster that Azure refuses to change are not the ones for which azure-native replaces it. These
// are the differences: a change of either list needs a reason.
func TestImmutableClusterPropertiesMatchAzureNative(t *testing.T) {
	t.Parallel()
	onlyRefused := map[string]string{
		"enableRBAC":                                  "azure-native sends the change, and Azure refuses it",
		"networkProfile.loadBalancerSku":              "azure-native sends it since 3.21",
		"apiServerAccessProfile.enablePrivateCluster": "azure-native sends it",
		"apiServerAccessProfile.privateDNSZone":       "azure-native sends it",
		"windowsProfile.adminUsername":                "azure-native replaces the cluster for the whole profile",
		"linuxProfile.adminUsername":                  "azure-native replaces the cluster for the whole profile",
	}
	onlyReplaced := map[string]string{
		"location":                           "it is not a property of the cluster: it is compared for every resource",
		"windowsProfile":                     "Azure changes the other parts",
		"linuxProfile":                       "Azure changes the other parts",
		"agentPoolProfiles[].windowsProfile": "pools have a list of their own",
		"networkProfile.networkPolicy":       "Azure migrates some values in place",
		"networkProfile.outboundType":        "Azure migrates some values in place",
	}
	cluster, known := azuretypes.Of("azure-native:containerservice:ManagedCluster")
	if !known {
		t.Fatal("nothing is known of clusters")
	}
	compare := func(name string, list, other []string, reasons map[string]string) {
		for _, path := range list {
			if _, differs := reasons[path]; differs == slices.Contains(other, path) {
				t.Errorf("%s: %s is in the other list: %t, and has a reason not to be in it: %t", name, path,
					slices.Contains(other, path), differs)
			}
		}
		for path := range reasons {
			if !slices.Contains(list, path) {
				t.Errorf("%s: %s is no longer in the list", name, path)
			}
		}
	}
	compare("Azure refuses", immutableCluster, cluster.Fixed, onlyRefused)
	compare("azure-native replaces", cluster.Fixed, immutableCluster, onlyReplaced)
}
