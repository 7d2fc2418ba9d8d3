package akstest_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

func TestOnlyTheConfiguredClustersExist(t *testing.T) {
	t.Parallel()
	lookUp := func(name string) (*containerservice.LookupManagedClusterResult, error) {
		var found *containerservice.LookupManagedClusterResult
		_, err := mocktest.Run(func(ctx *pulumi.Context) error {
			var err error
			found, err = containerservice.LookupManagedCluster(ctx, &containerservice.LookupManagedClusterArgs{
				ResourceGroupName: "shop-group", ResourceName: name,
			})
			return err
		}, akstest.Azure(akstest.Cluster{
			Name: "shop", Tags: map[string]string{"team": "shop"}, Versions: map[string]string{"sysvhv": "1.35.2"},
			WindowsProfile: map[string]any{"adminUsername": "azureuser"},
		}))
		return found, err
	}
	found, err := lookUp("shop")
	if err != nil {
		t.Fatal(err)
	}
	if found.Tags["team"] != "shop" || found.AgentPoolProfiles[0].CurrentOrchestratorVersion != "1.35.2" ||
		found.WindowsProfile.AdminUsername != "azureuser" {
		t.Errorf("the cluster is %+v", found)
	}
	if _, err := lookUp("other"); err == nil || !strings.Contains(err.Error(), "ResourceNotFound") {
		t.Errorf("looking up another cluster: the error is %v, want ResourceNotFound", err)
	}
}

func TestOtherCallsAreNotAnswered(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := containerservice.LookupAgentPool(ctx, &containerservice.LookupAgentPoolArgs{
			ResourceGroupName: "shop-group", ResourceName: "shop", AgentPoolName: "sysvhv",
		})
		return err
	}, akstest.Azure())
	if err == nil || !strings.Contains(err.Error(),
		"akstest does not answer azure-native:containerservice:getAgentPool") {
		t.Errorf("the error is %v", err)
	}
}
