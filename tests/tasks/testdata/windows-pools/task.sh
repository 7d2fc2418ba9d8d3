# Adds a Windows Server 2022 pool to the AKS cluster `shop`, which a colleague manages, and tests the program.
set -eu

# docs/existing-clusters.md: a new program. No release is published yet, so the checkout is its module.
export GOFLAGS="${GOFLAGS-} -mod=mod"
go mod init example.com/shop-windows
go mod edit -replace "github.com/mixedkube/mixedkube=$MIXEDKUBE_CHECKOUT" -require github.com/mixedkube/mixedkube@v0.0.0
sed -n '/^require (/,/^)/p' "$MIXEDKUBE_CHECKOUT/go.mod" >> go.mod
cp "$MIXEDKUBE_CHECKOUT/go.sum" .

# docs/existing-clusters.md, "Add Windows pools to a cluster on AKS": aks.Existing changes nothing of the cluster.
cat > Pulumi.yaml <<'END'
name: shop-windows
runtime: go
END
cat > main.go <<'END'
// Command shop-windows adds a Windows pool to the cluster shop.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error { return addPool(ctx, "win22") }

func addPool(ctx *pulumi.Context, name string) error {
	cluster, err := aks.Existing(ctx, "shop", &aks.ExistingArgs{ResourceGroupName: "shop-rg"})
	if err != nil {
		return err
	}
	_, err = cluster.NewNodePool(ctx, name, &aks.PoolArgs{Pool: topology.Pool{
		Name: name, Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5",
	}})
	return err
}
END

# docs/testing.md, "mocktest"; `go doc github.com/mixedkube/mixedkube/components/aks/akstest.Cluster`: what Azure has.
cat > main_test.go <<'END'
package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// azure has the cluster shop.
var azure = akstest.Azure(akstest.Cluster{
	Name: "shop", WindowsProfile: map[string]any{"adminUsername": "azureuser"},
	Properties: map[string]any{
		"kubernetesVersion": "1.34",
		"networkProfile":    map[string]any{"networkPlugin": "azure", "networkPluginMode": "overlay"},
	},
})

func TestThePoolIsAddedAndTheClusterStays(t *testing.T) {
	graph := mocktest.MustRun(t, program, mocktest.Preview(), azure)
	var got []string
	for _, r := range graph.Resources() {
		got = append(got, r.Type+" "+r.Name)
	}
	slices.Sort(got)
	want := []string{ // no azure-native:containerservice:ManagedCluster
		"azure-native:containerservice:AgentPool win22-win22d", "mixedkube:aks:ExistingCluster shop",
		"mixedkube:aks:NodePool win22", "pulumi:providers:kubernetes shop-kubernetes",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the resources (-want +got):\n%s", diff)
	}
	pool, err := graph.Get("azure-native:containerservice:AgentPool", "win22-win22d")
	if err != nil {
		t.Fatal(err)
	}
	inputs := pool.Plain()
	for key, value := range map[string]any{
		"resourceGroupName": "shop-rg", "resourceName": "shop", "osType": "Windows", "osSKU": "Windows2022", "count": 2,
	} {
		if diff := cmp.Diff(value, inputs[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

func TestATooLongNameIsRefused(t *testing.T) {
	tooLong := func(ctx *pulumi.Context) error { return addPool(ctx, "windows") }
	_, err := mocktest.Run(tooLong, mocktest.Preview(), azure)
	if err == nil || !strings.Contains(err.Error(), "pool.name: ") || !strings.Contains(err.Error(), "(MK702)") {
		t.Errorf("the error is %v, want MK702 about the name", err)
	}
}
END
go test -v .
